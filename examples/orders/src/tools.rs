//! What the model may do in the shop. Each function is a tool: its doc comment is the prompt, its signature the schema.

use schemars::JsonSchema;
use serde::Serialize;
use tool_runtime::{CallContext, ToolError, tool};

use crate::policies::{self, Section};
use crate::shop::{
    CancelReason, Contact, Order, Priority, RefundReason, Shop, ShopError, Status, Ticket,
};

/// Look up one order: its status, what is in it, what it cost, and what was refunded.
///
/// # Use when
/// The user asks where an order is, what is in it, or what became of it; also before any advice about an order.
///
/// # Do not use for
/// What a refund would come to (`calculate_refund_estimate`) or what the shop's rules say (`search_policy_docs`).
#[tool(read_only, title = "Order status")]
async fn get_order_status(
    #[context] shop: &Shop,
    /// The order number: the letter A and four digits.
    #[arg(pattern = r"^A\d{4}$", example = "A1001")]
    order_id: &str,
) -> Result<Order, ShopError> {
    shop.order(order_id).await
}

/// What a refund would come to.
#[derive(Serialize, JsonSchema)]
struct Estimate {
    /// The order number.
    order_id: String,
    /// What would go back to the customer, in cents.
    refund_cents: u64,
    /// The order's currency.
    currency: String,
    /// How the amount was found, one step a line.
    steps: Vec<String>,
}

/// Work out what a refund of an order would come to, without paying anything.
///
/// # Use when
/// The user asks what they would get back, or before `issue_refund`, to know the amount.
///
/// # Do not use for
/// Paying a refund (`issue_refund`). An estimate is no promise: say so.
#[tool(read_only, title = "Refund estimate")]
fn calculate_refund_estimate(
    #[context] shop: &Shop,
    /// The order number: the letter A and four digits.
    #[arg(pattern = r"^A\d{4}$", example = "A1001")]
    order_id: &str,
    /// Why the customer wants the money back.
    reason: RefundReason,
) -> Result<Estimate, ShopError> {
    let order = shop.order_now(order_id)?;
    let (refund_cents, steps) = order.refund_for(reason)?;
    Ok(Estimate {
        order_id: order.order_id,
        refund_cents,
        currency: order.currency,
        steps,
    })
}

/// Search the shop's rules on returns, refunds, cancelling, shipping, warranty and privacy.
///
/// # Use when
/// The user asks what is allowed or how long something takes, or before a rule is quoted. Quote what is found, do not guess.
///
/// # Do not use for
/// Facts about one order (`get_order_status`), or files and web pages: it searches the shop's rules only.
#[tool(read_only, inline, title = "Policy search")]
fn search_policy_docs(
    /// Words to look for, in English.
    #[arg(min_length = 2, max_length = 200, example = "return a damaged item")]
    query: &str,
    /// The most sections to return.
    #[arg(minimum = 1, maximum = 10, default = 3)]
    limit: u8,
) -> Vec<&'static Section> {
    policies::search(query, usize::from(limit))
}

/// Write a draft of a support ticket for the shop's staff, who read it before anything is done.
///
/// # Use when
/// The user's problem needs a person: a complaint, a lost parcel, anything no other tool does.
///
/// # Do not use for
/// Questions that `get_order_status` or `search_policy_docs` answers, and cancelling or refunding.
#[tool(risk = "medium", destructive = false, title = "Support ticket draft")]
fn create_support_ticket_draft(
    #[context] shop: &Shop,
    /// The problem in one line.
    #[arg(min_length = 5, max_length = 120)]
    subject: &str,
    /// Who has the problem.
    contact: Contact,
    /// What happened, one fact each, in the user's own words where possible.
    #[arg(min_items = 1, max_items = 10)]
    facts: Vec<String>,
    /// The order it is about, if it is about one.
    #[arg(pattern = r"^A\d{4}$")]
    order_id: Option<String>,
    /// How soon somebody has to look at it.
    #[arg(default = Priority::Normal)]
    priority: Priority,
) -> Result<Ticket, ShopError> {
    shop.draft(Ticket {
        ticket: 0,
        subject: subject.to_owned(),
        contact,
        facts,
        order_id,
        priority,
    })
}

/// An order that will not be sent any more.
#[derive(Serialize, JsonSchema)]
struct Cancelled {
    /// The order number.
    order_id: String,
    /// Always `cancelled`.
    status: Status,
    /// What goes back to the customer, in cents.
    refunded_cents: u64,
    /// Whether the customer was told.
    customer_notified: bool,
}

/// Cancel an order that has not shipped yet, and pay back what was paid for it.
///
/// # Use when
/// The user clearly asks to cancel an order, and `get_order_status` shows that it is open.
///
/// # Do not use for
/// Orders that have shipped or were delivered (`issue_refund`), asking for a status, or changing an address.
#[tool(
    risk = "high",
    title = "Cancel an order",
    confirm = "Cancel the order? It cannot be reopened, and its price is paid back at once."
)]
async fn cancel_order(
    #[context] shop: &Shop,
    /// The order number: the letter A and four digits.
    #[arg(pattern = r"^A\d{4}$", example = "A1002")]
    order_id: &str,
    /// Why the order is cancelled.
    reason: CancelReason,
    /// Whether the customer gets a message about it.
    #[arg(default = true)]
    notify: bool,
) -> Result<Cancelled, ShopError> {
    let order = shop.cancel(order_id, reason, notify).await?;
    Ok(Cancelled {
        order_id: order.order_id,
        status: order.status,
        refunded_cents: order.refunded_cents,
        customer_notified: notify,
    })
}

/// Money that went back to the customer.
#[derive(Serialize, JsonSchema)]
struct Refunded {
    /// The order number.
    order_id: String,
    /// What was paid now, in cents.
    paid_cents: u64,
    /// What was paid back for this order in all, in cents.
    refunded_cents: u64,
}

/// Pay money back to the customer of an order.
///
/// # Use when
/// The user asks for a refund, the amount is known from `calculate_refund_estimate`, and the user has agreed to it.
///
/// # Do not use for
/// Working out an amount, or orders that have not shipped (`cancel_order` pays those back by itself).
#[tool(
    risk = "high",
    title = "Issue a refund",
    timeout = "30s",
    confirm = "Pay this refund? The money leaves the shop's account at once."
)]
fn issue_refund(
    #[context] shop: &Shop,
    #[context] call: &CallContext,
    /// The order number: the letter A and four digits.
    #[arg(pattern = r"^A\d{4}$", example = "A1001")]
    order_id: &str,
    /// How much to pay, in cents: 1250 is 12.50.
    #[arg(minimum = 1, maximum = 1_000_000)]
    amount_cents: u64,
    /// Why the money is paid back.
    reason: RefundReason,
) -> Result<Refunded, ToolError> {
    // The key is the same for every attempt at this call, so that a repeat cannot pay twice.
    let order = shop
        .refund(order_id, amount_cents, reason, &call.idempotency_key())
        .map_err(|error| {
            let code = error.code();
            let told = ToolError::new(error.to_string()).with_code(code);
            told.not_executed().with_source(error)
        })?;
    Ok(Refunded {
        order_id: order.order_id,
        paid_cents: amount_cents,
        refunded_cents: order.refunded_cents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool is still a function: no dispatcher, no JSON.
    #[test]
    fn a_tool_is_tested_like_any_function() {
        let found = search_policy_docs("Can I return a damaged item?", 2);
        assert_eq!(found[0].title, "Damaged or wrong items");
        assert_eq!(found.len(), 2);
    }
}
