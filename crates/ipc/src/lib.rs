//! The wire: types, commands and error codes between the window and the engine.
