//! The command `ackclock`: a laboratory for congestion control.

use std::process::ExitCode;

fn main() -> ExitCode {
    ackclock::main()
}
