//! The journal of a process that does not need to remember: in memory, bounded.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Event, Journal, JournalError, Pending, Record};
use crate::trace::TraceId;

/// A journal in memory: all approvals, and the last events of other calls.
#[derive(Debug)]
pub struct MemoryJournal {
    inner: Mutex<Inner>,
    /// How many events of calls without an approval are kept.
    keep: usize,
}

#[derive(Debug, Default)]
struct Inner {
    /// Streams that hold an approval.
    approvals: HashMap<TraceId, Vec<Record>>,
    order: Vec<TraceId>,
    /// Events of all other streams, oldest first, with their positions.
    recent: VecDeque<(TraceId, u64, Record)>,
}

impl Default for MemoryJournal {
    fn default() -> Self {
        Self::keeping(10_000)
    }
}

impl MemoryJournal {
    /// A journal that keeps this many events of calls that needed no approval. The default keeps 10,000.
    #[must_use]
    pub fn keeping(events: usize) -> Self {
        Self {
            inner: Mutex::default(),
            keep: events,
        }
    }

    /// The last events of calls that needed no approval, oldest first.
    #[must_use]
    pub fn recent(&self) -> Vec<(TraceId, Record)> {
        self.lock()
            .recent
            .iter()
            .map(|(stream, _, record)| (*stream, record.clone()))
            .collect()
    }

    /// A panic elsewhere does not make what is recorded untrue.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn append_now(
        &self,
        stream: TraceId,
        expected: u64,
        record: Record,
    ) -> Result<(), JournalError> {
        let mut inner = self.lock();
        if matches!(record.event, Event::Asked(_))
            && expected == 0
            && !inner.approvals.contains_key(&stream)
        {
            inner.approvals.insert(stream, vec![record]);
            inner.order.push(stream);
            return Ok(());
        }
        if !inner.approvals.is_empty()
            && let Some(records) = inner.approvals.get_mut(&stream)
        {
            if records.len() as u64 != expected {
                return Err(JournalError::Conflict {
                    stream,
                    position: expected,
                });
            }
            records.push(record);
            return Ok(());
        }
        // Nobody else knows the id of a call that waits for nothing, so nobody races for its positions.
        if self.keep > 0 {
            if inner.recent.len() >= self.keep {
                inner.recent.pop_front();
            }
            inner.recent.push_back((stream, expected, record));
        }
        Ok(())
    }
}

impl Journal for MemoryJournal {
    fn append<'a>(&'a self, stream: TraceId, expected: u64, record: Record) -> Pending<'a, ()> {
        Box::pin(async move { self.append_now(stream, expected, record) })
    }

    fn read<'a>(&'a self, stream: TraceId) -> Pending<'a, Vec<Record>> {
        Box::pin(async move {
            let inner = self.lock();
            Ok(match inner.approvals.get(&stream) {
                Some(records) => records.clone(),
                None => {
                    let own = inner.recent.iter().filter(|(other, _, _)| *other == stream);
                    own.map(|(_, _, record)| record.clone()).collect()
                }
            })
        })
    }

    fn approvals<'a>(&'a self) -> Pending<'a, Vec<TraceId>> {
        Box::pin(async move { Ok(self.lock().order.clone()) })
    }
}
