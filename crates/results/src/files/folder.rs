//! A folder that appears complete or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::FilesError;

/// Puts a new folder at `dir` in place of what is there; `fill` writes into the folder it is given.
///
/// The new folder grows beside `dir` under a hidden name and is moved there when it is complete.
/// On an error `dir` is as it was, and nothing is left beside it. A reader may find no folder for
/// the moment between two renames, but never a part of one. A link is followed: the folder it leads
/// to is replaced. The parent of `dir` must exist.
///
/// Whatever is at `dir` is deleted in the end: the caller sees to it that it may be.
pub fn replace_folder(
    dir: &Path,
    fill: impl FnOnce(&Path) -> Result<(), FilesError>,
) -> Result<(), FilesError> {
    let target = resolve(dir)?;
    let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
        let source = io::Error::new(io::ErrorKind::InvalidInput, "the root cannot be replaced");
        return Err(FilesError::Io {
            path: target,
            source,
        });
    };
    // Dropped on every way out, this takes all that is left in it along.
    let work = tempfile::Builder::new()
        .prefix(&format!(".{}.", name.to_string_lossy()))
        .tempdir_in(parent)
        .map_err(FilesError::io(dir))?;
    let new = work.path().join("new");
    let old = work.path().join("old");
    fs::create_dir(&new).map_err(FilesError::io(&new))?;
    fill(&new)?;
    let had_old = match fs::rename(&target, &old) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(FilesError::io(dir)(error)),
    };
    let Err(source) = fs::rename(&new, &target) else {
        return Ok(());
    };
    if had_old && fs::rename(&old, &target).is_err() {
        let kept = work.keep().join("old");
        return Err(FilesError::Displaced {
            path: dir.to_owned(),
            kept,
            source,
        });
    }
    Err(FilesError::io(dir)(source))
}

/// The place itself, with no links on the way to it; it need not exist, its parent must.
fn resolve(dir: &Path) -> Result<PathBuf, FilesError> {
    match fs::canonicalize(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other.map_err(FilesError::io(dir)),
    }
    let parent = match dir.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent = fs::canonicalize(parent).map_err(FilesError::io(parent))?;
    // A name such as `..` would exist, had the parent been found.
    Ok(dir
        .file_name()
        .map_or_else(|| parent.clone(), |name| parent.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn one_file(name: &str) -> impl FnOnce(&Path) -> Result<(), FilesError> {
        move |folder: &Path| fs::write(folder.join(name), name).map_err(FilesError::io(folder))
    }

    #[test]
    fn a_folder_takes_the_place_of_an_old_one() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("run");
        replace_folder(&dir, one_file("first")).unwrap();
        assert_eq!(names(&dir), ["first"]);
        replace_folder(&dir, one_file("second")).unwrap();
        assert_eq!(names(&dir), ["second"]);
        assert_eq!(names(home.path()), ["run"]);
    }

    #[test]
    fn an_error_leaves_the_old_folder_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("run");
        replace_folder(&dir, one_file("first")).unwrap();
        let failed = replace_folder(&dir, |folder| {
            one_file("half")(folder)?;
            Err(FilesError::io(folder)(io::Error::other("disk full")))
        });
        assert!(failed.unwrap_err().to_string().ends_with("disk full"));
        assert_eq!(names(&dir), ["first"]);
        assert_eq!(names(home.path()), ["run"]);
    }

    #[test]
    fn the_old_folder_goes_back_where_the_new_one_cannot_come() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("run");
        replace_folder(&dir, one_file("first")).unwrap();
        // There is nothing to move any more.
        let failed = replace_folder(&dir, |folder| {
            fs::remove_dir(folder).map_err(FilesError::io(folder))
        });
        assert!(matches!(failed, Err(FilesError::Io { path, .. }) if path == dir));
        assert_eq!(names(&dir), ["first"]);
        assert_eq!(names(home.path()), ["run"]);
    }

    #[test]
    fn a_parent_that_is_not_there_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("no/run");
        let mut called = false;
        let failed = replace_folder(&dir, |_| {
            called = true;
            Ok(())
        });
        assert!(
            matches!(failed, Err(FilesError::Io { path, .. }) if path == home.path().join("no"))
        );
        assert!(!called);
        assert_eq!(names(home.path()), Vec::<String>::new());
    }

    #[test]
    fn a_parent_that_is_a_file_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("file"), "text").unwrap();
        assert!(replace_folder(&home.path().join("file/run"), one_file("first")).is_err());
        assert_eq!(names(home.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed() {
        let home = tempfile::tempdir().unwrap();
        let (real, link) = (home.path().join("real"), home.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        replace_folder(&link, one_file("first")).unwrap();
        assert_eq!(names(&real), ["first"]);
        assert_eq!(names(home.path()), ["link", "real"]);
    }
}
