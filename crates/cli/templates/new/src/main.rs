//! The program `ackclock` with one controller more: every command knows it.

use std::process::ExitCode;

fn main() -> ExitCode {
    ackclock::main_with(my_controller::registry())
}
