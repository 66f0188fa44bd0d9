// A fingerprint of source files, for the build scripts of this crate and of `papers`.

use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files under `places` but tests, in order of path, and the versions of the libraries that
/// numbers depend on, as one number (FNV-1a, 64 bits). Cargo is told to look at them again when
/// they change.
fn fingerprint(root: &Path, places: &[&str]) -> String {
    let mut files = Vec::new();
    for place in places {
        println!("cargo::rerun-if-changed={}", root.join(place).display());
        collect(&root.join(place), &mut files);
    }
    files.sort();
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file);
        hash.add(name.to_string_lossy().replace('\\', "/").as_bytes());
        hash.add(&fs::read(file).unwrap_or_default());
    }
    let lock = root.join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock).unwrap_or_default();
    let mut lines = lock.lines();
    while let Some(line) = lines.next() {
        if LIBRARIES.contains(&line) {
            hash.add(line.as_bytes());
            hash.add(lines.next().unwrap_or_default().as_bytes());
        }
    }
    format!("{:016x}", hash.0)
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    if place.file_stem().is_some_and(|stem| stem == "tests") {
        return;
    }
    if place.extension().is_some_and(|extension| extension == "rs") {
        files.push(place.to_owned());
    }
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        collect(&entry.path(), files);
    }
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What gives the simulator its numbers.
const LIBRARIES: [&str; 3] = [
    "name = \"libm\"",
    "name = \"rand_core\"",
    "name = \"rand_xoshiro\"",
];
