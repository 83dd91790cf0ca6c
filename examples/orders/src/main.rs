//! A shop's customer service as tools.
//!
//! Without arguments it tells the whole story on a fresh shop; `orders --help` lists what it does with arguments.

mod policies;
mod shop;
mod story;
mod tools;

use std::process::ExitCode;

use tool_runtime::{Dispatcher, Registry, cli::Cli};

fn main() -> ExitCode {
    Cli::new(|data| {
        let shop = shop::Shop::at(data.join("shop.redb"));
        Ok(Dispatcher::builder()
            .registry(Registry::collect())
            .context(shop))
    })
    .without_command(story::tell)
    .run()
}
