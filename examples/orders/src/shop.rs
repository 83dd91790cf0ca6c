//! The shop behind the tools: orders, payments, messages and tickets in one file. Nothing in here knows that a model exists.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redb::{
    Database, DatabaseError, ReadableDatabase as _, ReadableTable, Table, TableDefinition,
    TableError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Order numbers, and the orders as JSON.
const ORDERS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("orders");
/// A key for each payment, and what was paid, as JSON.
const PAYMENTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("payments");
/// Messages that wait to be sent to customers.
const MESSAGES: TableDefinition<'_, u64, &str> = TableDefinition::new("messages");
/// Ticket numbers, and the tickets as JSON.
const TICKETS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("tickets");

/// How long another process may keep the file before we give up.
const PATIENCE: Duration = Duration::from_secs(5);

/// What an order is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Paid, and not sent yet.
    Open,
    /// On its way.
    Shipped,
    /// With the customer.
    Delivered,
    /// Ended before it was sent.
    Cancelled,
}

/// Why an order is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CancelReason {
    /// The customer asked for it.
    UserRequest,
    /// The same order was placed twice.
    DuplicateOrder,
    /// It cannot be supplied.
    OutOfStock,
    /// The payment is in doubt.
    SuspectedFraud,
}

/// Why money is paid back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefundReason {
    /// It arrived broken.
    Damaged,
    /// Something else arrived.
    WrongItem,
    /// It arrived later than promised.
    LateDelivery,
    /// The customer does not want it any more.
    ChangedMind,
}

/// Some of one thing.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Item {
    /// What it is.
    name: String,
    /// How many.
    quantity: u32,
    /// The price of one, in cents.
    price_cents: u64,
}

/// An order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Order {
    /// The order number.
    pub(crate) order_id: String,
    /// What it is at.
    pub(crate) status: Status,
    /// What is in it.
    items: Vec<Item>,
    /// What was paid for sending it, in cents.
    shipping_cents: u64,
    /// What the customer paid in all, in cents.
    pub(crate) total_cents: u64,
    /// The currency of all amounts.
    pub(crate) currency: String,
    /// What was paid back so far, in cents.
    pub(crate) refunded_cents: u64,
    /// Why it was cancelled, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancel_reason: Option<CancelReason>,
}

/// How to reach a customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Contact {
    /// The customer's name.
    #[schemars(length(min = 1, max = 100))]
    pub(crate) name: String,
    /// Where the answer goes.
    #[schemars(length(min = 3, max = 200))]
    pub(crate) email: String,
    /// A telephone number, if the customer wants to be called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) phone: Option<String>,
}

/// How soon somebody has to look at a ticket.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Priority {
    /// When there is time.
    Low,
    /// Within two working days.
    Normal,
    /// Today: money or safety is at stake.
    Urgent,
}

/// A ticket's draft, which waits for the staff.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Ticket {
    /// Its number.
    pub(crate) ticket: u64,
    /// The problem in one line.
    pub(crate) subject: String,
    /// Who has it.
    pub(crate) contact: Contact,
    /// What happened, one fact each.
    pub(crate) facts: Vec<String>,
    /// The order it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) order_id: Option<String>,
    /// How soon somebody has to look at it.
    pub(crate) priority: Priority,
}

/// One payment to a customer.
#[derive(Serialize)]
struct Payment<'a> {
    order_id: &'a str,
    amount_cents: u64,
    reason: RefundReason,
}

/// Why the shop says no. The text may reach the model; what is underneath is for the operator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShopError {
    #[error("there is no order {0}; ask the user for the number on their confirmation")]
    NoSuchOrder(String),
    #[error("order {0} was {1} already, so it cannot be cancelled; a refund is possible instead")]
    TooLate(String, &'static str),
    #[error("order {0} is cancelled already; nothing was changed")]
    AlreadyCancelled(String),
    #[error(
        "order {0} was never sent, so there is nothing to refund; an open order can be cancelled instead"
    )]
    NotSent(String),
    #[error(
        "at most {left} cents can still be paid back for order {order_id}, and {asked} were asked for"
    )]
    TooMuch {
        order_id: String,
        asked: u64,
        left: u64,
    },
    #[error("the shop's records cannot be used right now; try again later")]
    Store(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ShopError {
    /// A word for programs that branch.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NoSuchOrder(_) => "no_such_order",
            Self::TooLate(..) => "too_late",
            Self::AlreadyCancelled(_) => "already_cancelled",
            Self::NotSent(_) => "not_sent",
            Self::TooMuch { .. } => "too_much",
            Self::Store(_) => "store_unavailable",
        }
    }
}

/// Whatever the store says is one kind of failure here.
impl<E: Into<redb::Error>> From<E> for ShopError {
    fn from(error: E) -> Self {
        Self::Store(Box::new(error.into()))
    }
}

fn unreadable(error: serde_json::Error) -> ShopError {
    ShopError::Store(Box::new(error))
}

impl Order {
    /// What a refund for this reason comes to, in cents, and how it was worked out.
    pub(crate) fn refund_for(&self, reason: RefundReason) -> Result<(u64, Vec<String>), ShopError> {
        self.must_be_sent()?;
        let goods = self.total_cents - self.shipping_cents;
        let (amount, rule) = match reason {
            RefundReason::Damaged | RefundReason::WrongItem => (
                self.total_cents,
                "goods and shipping, since the shop is at fault",
            ),
            RefundReason::LateDelivery => (self.shipping_cents, "shipping, since it came late"),
            RefundReason::ChangedMind => (goods, "goods without shipping"),
        };
        let left = self.total_cents - self.refunded_cents;
        let mut steps = vec![format!("{rule}: {amount}")];
        if self.refunded_cents > 0 {
            steps.push(format!(
                "paid back already: {}, so at most {left} is left",
                self.refunded_cents
            ));
        }
        Ok((amount.min(left), steps))
    }

    fn must_be_sent(&self) -> Result<(), ShopError> {
        match self.status {
            Status::Shipped | Status::Delivered => Ok(()),
            Status::Open | Status::Cancelled => Err(ShopError::NotSent(self.order_id.clone())),
        }
    }
}

/// The shop: a handle that can be cloned. The file is opened for each piece of work and closed again, so that several processes
/// can use it in turn.
#[derive(Debug, Clone)]
pub(crate) struct Shop {
    path: PathBuf,
    /// One piece of work at a time in this process.
    turn: Arc<Mutex<()>>,
}

impl Shop {
    /// The shop with its records in this file. It is made, with a dozen orders in it, when it is first needed.
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            turn: Arc::default(),
        }
    }

    /// One order.
    pub(crate) async fn order(&self, order_id: &str) -> Result<Order, ShopError> {
        let (shop, order_id) = (self.clone(), order_id.to_owned());
        off_the_executor(move || shop.order_now(&order_id)).await
    }

    /// One order, for callers that may block.
    pub(crate) fn order_now(&self, order_id: &str) -> Result<Order, ShopError> {
        self.with(|records| {
            let orders = records.begin_read()?.open_table(ORDERS)?;
            read_order(&orders, order_id)
        })
    }

    /// Ends an order that is still open, and pays it back.
    pub(crate) async fn cancel(
        &self,
        order_id: &str,
        reason: CancelReason,
        notify: bool,
    ) -> Result<Order, ShopError> {
        let (shop, order_id) = (self.clone(), order_id.to_owned());
        off_the_executor(move || {
            shop.with(|records| {
                let change = records.begin_write()?;
                let order = {
                    let mut orders = change.open_table(ORDERS)?;
                    let mut order = read_order(&orders, &order_id)?;
                    match order.status {
                        Status::Open => {}
                        Status::Shipped => return Err(ShopError::TooLate(order_id, "sent")),
                        Status::Delivered => return Err(ShopError::TooLate(order_id, "delivered")),
                        Status::Cancelled => return Err(ShopError::AlreadyCancelled(order_id)),
                    }
                    order.status = Status::Cancelled;
                    order.cancel_reason = Some(reason);
                    order.refunded_cents = order.total_cents;
                    write_order(&mut orders, &order)?;
                    order
                };
                if notify {
                    let mut messages = change.open_table(MESSAGES)?;
                    let number = next(&messages)?;
                    let text = format!("Your order {order_id} was cancelled.");
                    messages.insert(number, &*text)?;
                }
                change.commit()?;
                Ok(order)
            })
        })
        .await
    }

    /// Pays money back. What was paid under the same key before is not paid again.
    pub(crate) fn refund(
        &self,
        order_id: &str,
        amount_cents: u64,
        reason: RefundReason,
        key: &str,
    ) -> Result<Order, ShopError> {
        self.with(|records| {
            let change = records.begin_write()?;
            let order = {
                let mut orders = change.open_table(ORDERS)?;
                let mut payments = change.open_table(PAYMENTS)?;
                let mut order = read_order(&orders, order_id)?;
                if payments.get(key)?.is_some() {
                    return Ok(order);
                }
                order.must_be_sent()?;
                let left = order.total_cents - order.refunded_cents;
                if amount_cents > left {
                    return Err(ShopError::TooMuch {
                        order_id: order.order_id,
                        asked: amount_cents,
                        left,
                    });
                }
                order.refunded_cents += amount_cents;
                write_order(&mut orders, &order)?;
                let payment = Payment {
                    order_id,
                    amount_cents,
                    reason,
                };
                let payment = serde_json::to_vec(&payment).map_err(unreadable)?;
                payments.insert(key, &*payment)?;
                order
            };
            change.commit()?;
            Ok(order)
        })
    }

    /// Keeps a ticket for the staff, and gives it a number.
    pub(crate) fn draft(&self, mut ticket: Ticket) -> Result<Ticket, ShopError> {
        self.with(|records| {
            if let Some(order_id) = &ticket.order_id {
                read_order(&records.begin_read()?.open_table(ORDERS)?, order_id)?;
            }
            let change = records.begin_write()?;
            {
                let mut tickets = change.open_table(TICKETS)?;
                ticket.ticket = next(&tickets)?;
                let text = serde_json::to_vec(&ticket).map_err(unreadable)?;
                tickets.insert(ticket.ticket, &*text)?;
            }
            change.commit()?;
            Ok(ticket)
        })
    }

    /// Opens the file, works on it, and closes it.
    fn with<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, ShopError>,
    ) -> Result<T, ShopError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(redb::Error::Io)?;
        }
        let started = Instant::now();
        let records = loop {
            match Database::create(&self.path) {
                // Another process has it open, and is soon done.
                Err(DatabaseError::DatabaseAlreadyOpen) if started.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                opened => break opened?,
            }
        };
        if let Err(TableError::TableDoesNotExist(_)) = records.begin_read()?.open_table(ORDERS) {
            seed(&records)?;
        }
        work(&records)
    }
}

/// Runs work that blocks where it holds nobody up.
async fn off_the_executor<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ShopError> + Send + 'static,
) -> Result<T, ShopError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(ShopError::Store(Box::new(error))),
    }
}

fn read_order(
    orders: &impl ReadableTable<&'static str, &'static [u8]>,
    order_id: &str,
) -> Result<Order, ShopError> {
    match orders.get(order_id)? {
        Some(found) => serde_json::from_slice(found.value()).map_err(unreadable),
        None => Err(ShopError::NoSuchOrder(order_id.to_owned())),
    }
}

fn write_order(
    orders: &mut Table<'_, &'static str, &'static [u8]>,
    order: &Order,
) -> Result<(), ShopError> {
    let text = serde_json::to_vec(order).map_err(unreadable)?;
    orders.insert(&*order.order_id, &*text)?;
    Ok(())
}

/// The first number that is free.
fn next<V: redb::Value + 'static>(table: &impl ReadableTable<u64, V>) -> Result<u64, ShopError> {
    Ok(table.last()?.map_or(1, |(last, _)| last.value() + 1))
}

/// Fills a new shop.
fn seed(records: &Database) -> Result<(), ShopError> {
    use Status::{Cancelled, Delivered, Open, Shipped};
    type Goods = &'static [(&'static str, u32, u64)];
    let orders: [(&str, Status, Goods); 12] = [
        (
            "A1001",
            Delivered,
            &[("Desk lamp", 1, 3490), ("Light bulb", 2, 690)],
        ),
        ("A1002", Open, &[("Office chair", 1, 18900)]),
        ("A1003", Shipped, &[("Keyboard", 1, 7990)]),
        (
            "A1004",
            Delivered,
            &[("Monitor", 1, 24900), ("Cable", 1, 1290)],
        ),
        ("A1005", Cancelled, &[("Webcam", 1, 5990)]),
        ("A1006", Open, &[("Notebook", 10, 290), ("Pen", 20, 120)]),
        ("A1007", Shipped, &[("Headset", 2, 4950)]),
        ("A1008", Delivered, &[("Mouse", 1, 2990)]),
        ("A1009", Open, &[("Shelf", 1, 6490)]),
        ("A1010", Delivered, &[("Coffee mug", 4, 890)]),
        ("A1011", Shipped, &[("Desk", 1, 32900)]),
        ("A1012", Cancelled, &[("Paper, 500 sheets", 3, 590)]),
    ];
    let change = records.begin_write()?;
    {
        let mut table = change.open_table(ORDERS)?;
        for (order_id, status, goods) in orders {
            let items: Vec<Item> = goods
                .iter()
                .map(|&(name, quantity, price_cents)| Item {
                    name: name.to_owned(),
                    quantity,
                    price_cents,
                })
                .collect();
            let price: u64 = items
                .iter()
                .map(|item| u64::from(item.quantity) * item.price_cents)
                .sum();
            let shipping_cents = if price > 8000 { 0 } else { 490 };
            let total_cents = price + shipping_cents;
            let cancelled = status == Cancelled;
            let order = Order {
                order_id: order_id.to_owned(),
                status,
                items,
                shipping_cents,
                total_cents,
                currency: "EUR".to_owned(),
                refunded_cents: if cancelled { total_cents } else { 0 },
                cancel_reason: cancelled.then_some(CancelReason::UserRequest),
            };
            write_order(&mut table, &order)?;
        }
    }
    change.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shop in a folder of its own, which goes with it.
    struct Temporary(Shop, PathBuf);

    impl Temporary {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("orders-{}-{name}", std::process::id()));
            Self(Shop::at(folder.join("shop.redb")), folder)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.1);
        }
    }

    #[test]
    fn money_is_paid_once_a_key_and_never_too_much() {
        let temporary = Temporary::new("refund");
        let shop = &temporary.0;
        let pay = |amount, key| shop.refund("A1001", amount, RefundReason::Damaged, key);
        assert_eq!(
            pay(1000, "a").map(|order| order.refunded_cents).ok(),
            Some(1000)
        );
        assert_eq!(
            pay(1000, "a").map(|order| order.refunded_cents).ok(),
            Some(1000)
        );
        assert_eq!(
            pay(4361, "b").map_err(|error| error.code()).err(),
            Some("too_much")
        );
        assert_eq!(
            pay(4360, "b").map(|order| order.refunded_cents).ok(),
            Some(5360)
        );
        let open = shop.refund("A1002", 1, RefundReason::Damaged, "c");
        assert_eq!(open.map_err(|error| error.code()).err(), Some("not_sent"));
    }

    #[test]
    fn estimates() {
        let temporary = Temporary::new("estimate");
        for (order_id, reason, expected) in [
            ("A1001", RefundReason::Damaged, Ok(5360)),
            ("A1001", RefundReason::LateDelivery, Ok(490)),
            ("A1001", RefundReason::ChangedMind, Ok(4870)),
            ("A1002", RefundReason::ChangedMind, Err("not_sent")),
            ("A9999", RefundReason::ChangedMind, Err("no_such_order")),
        ] {
            let estimate = temporary
                .0
                .order_now(order_id)
                .and_then(|order| order.refund_for(reason))
                .map(|(cents, _)| cents)
                .map_err(|error| error.code());
            assert_eq!(estimate, expected, "{order_id} {reason:?}");
        }
    }
}
