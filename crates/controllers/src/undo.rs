//! The way back from a reduction without cause: the state before it.

/// Keeps a law's state from before its last reduction.
#[derive(Clone, Copy, Debug)]
pub struct Undo<S>(Option<S>);

impl<S: Clone> Undo<S> {
    /// Nothing to go back to.
    pub const fn new() -> Self {
        Self(None)
    }

    /// `state` is about to be reduced.
    pub fn keep(&mut self, state: &S) {
        self.0 = Some(state.clone());
    }

    /// The reduction had a cause.
    pub fn forget(&mut self) {
        self.0 = None;
    }

    /// Puts the state back, once; says whether there was one.
    pub fn restore(&mut self, state: &mut S) -> bool {
        let before = self.0.take();
        let kept = before.is_some();
        if let Some(before) = before {
            *state = before;
        }
        kept
    }
}

impl<S: Clone> Default for Undo<S> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_once() {
        let mut undo = Undo::new();
        let mut state = 7;
        assert!(!undo.restore(&mut state));
        undo.keep(&state);
        state = 3;
        assert!(undo.restore(&mut state));
        assert_eq!(state, 7);
        state = 3;
        assert!(!undo.restore(&mut state));
        assert_eq!(state, 3);
    }

    #[test]
    fn what_is_forgotten_does_not_come_back() {
        let mut undo = Undo::new();
        undo.keep(&7);
        undo.forget();
        assert!(!undo.restore(&mut 3));
    }
}
