//! The journal in a file: one JSON line an event, shared by processes.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::{Event, Journal, JournalError, Pending, Record};
use crate::trace::TraceId;

/// A journal in one file of JSON lines.
///
/// Every append takes the file's lock, reads what others have appended, checks the expected position, writes one line and
/// flushes it to the disk before it returns. A line that a crash cut off is set aside beside the file, never read as
/// an event. The file is created for its owner alone, since it holds arguments.
#[derive(Debug, Clone)]
pub struct FileJournal {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    known: Mutex<Known>,
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Known {
    /// Up to this byte.
    offset: u64,
    lines: u64,
    streams: HashMap<TraceId, Vec<Record>>,
    approvals: Vec<TraceId>,
}

/// One line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    stream: TraceId,
    position: u64,
    #[serde(flatten)]
    record: Record,
}

impl FileJournal {
    /// Opens the journal at `path`, creating it and its folder where they are missing.
    ///
    /// # Errors
    /// When the file cannot be created or read, or holds something else.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, JournalError> {
        let shared = Shared {
            path: path.into(),
            known: Mutex::default(),
        };
        if let Some(folder) = shared.path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| shared.error(source))?;
        }
        shared.with_file(|_, _| Ok(()))?;
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Runs file work where it does not hold up the executor, if there is one.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shared) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, JournalError> {
        let shared = Arc::clone(&self.shared);
        if tokio::runtime::Handle::try_current().is_err() {
            return work(&shared);
        }
        let worker = Arc::clone(&shared);
        match tokio::task::spawn_blocking(move || work(&worker)).await {
            Ok(result) => result,
            Err(error) => Err(shared.error(io::Error::other(error))),
        }
    }
}

impl Shared {
    fn error(&self, source: io::Error) -> JournalError {
        JournalError::Store {
            place: self.path.display().to_string(),
            source,
        }
    }

    fn damaged(&self, line: u64, reason: impl Into<String>) -> JournalError {
        JournalError::Damaged {
            place: self.path.display().to_string(),
            line,
            reason: reason.into(),
        }
    }

    /// Opens and locks the file and catches up with what others have written; the lock ends with the file.
    fn with_file<T>(
        &self,
        work: impl FnOnce(&mut File, &mut Known) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options
            .open(&self.path)
            .map_err(|source| self.error(source))?;
        file.lock().map_err(|source| self.error(source))?;
        self.catch_up(&mut file, &mut known)?;
        work(&mut file, &mut known)
    }

    fn catch_up(&self, file: &mut File, known: &mut Known) -> Result<(), JournalError> {
        let length = file.metadata().map_err(|source| self.error(source))?.len();
        if length < known.offset {
            return Err(self.damaged(known.lines, "the file is shorter than it was"));
        }
        if length == known.offset {
            return Ok(());
        }
        let mut new = Vec::new();
        file.seek(SeekFrom::Start(known.offset))
            .and_then(|_| file.read_to_end(&mut new))
            .map_err(|source| self.error(source))?;
        // Under the lock nobody is in the middle of a line, so one without an end was cut off by a crash.
        let whole = new
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        if whole < new.len() {
            self.set_aside(file, known.offset + whole as u64, &new[whole..])?;
            new.truncate(whole);
        }
        for text in new
            .split(|byte| *byte == b'\n')
            .filter(|text| !text.is_empty())
        {
            let number = known.lines + 1;
            let line: Line = serde_json::from_slice(text)
                .map_err(|error| self.damaged(number, error.to_string()))?;
            let records = known.streams.entry(line.stream).or_default();
            if records.len() as u64 != line.position {
                return Err(self.damaged(number, "an event stands out of its order"));
            }
            if matches!(line.record.event, Event::Asked(_)) {
                known.approvals.push(line.stream);
            }
            records.push(line.record);
            known.lines = number;
        }
        known.offset += new.len() as u64;
        Ok(())
    }

    /// Keeps what a crash cut off, and takes it out of the journal.
    fn set_aside(&self, file: &mut File, end: u64, torn: &[u8]) -> Result<(), JournalError> {
        let mut beside = self.path.clone().into_os_string();
        beside.push(".torn");
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(beside)
            .and_then(|mut aside| {
                aside
                    .write_all(torn)
                    .and_then(|()| aside.write_all(b"\n"))
                    .and_then(|()| aside.sync_all())
            })
            .and_then(|()| file.set_len(end))
            .map_err(|source| self.error(source))?;
        tracing::warn!(journal = %self.path.display(), bytes = torn.len(), "a line cut off by a crash was set aside");
        Ok(())
    }

    fn append(&self, stream: TraceId, expected: u64, record: Record) -> Result<(), JournalError> {
        self.with_file(|file, known| {
            let position = known
                .streams
                .get(&stream)
                .map_or(0, |records| records.len() as u64);
            if position != expected {
                return Err(JournalError::Conflict {
                    stream,
                    position: expected,
                });
            }
            let line = Line {
                stream,
                position,
                record,
            };
            let mut text = serde_json::to_vec(&line).map_err(|error| self.error(error.into()))?;
            text.push(b'\n');
            file.write_all(&text)
                .and_then(|()| file.sync_data())
                .map_err(|source| self.error(source))?;
            // Read back like anybody's line, so that one way in keeps `known` true.
            self.catch_up(file, known)
        })
    }
}

impl Journal for FileJournal {
    fn append<'a>(&'a self, stream: TraceId, expected: u64, record: Record) -> Pending<'a, ()> {
        Box::pin(self.run(move |shared| shared.append(stream, expected, record)))
    }

    fn read<'a>(&'a self, stream: TraceId) -> Pending<'a, Vec<Record>> {
        Box::pin(self.run(move |shared| {
            shared.with_file(|_, known| Ok(known.streams.get(&stream).cloned().unwrap_or_default()))
        }))
    }

    fn approvals<'a>(&'a self) -> Pending<'a, Vec<TraceId>> {
        Box::pin(self.run(|shared| shared.with_file(|_, known| Ok(known.approvals.clone()))))
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn started() -> Record {
        Record::new(
            SystemTime::now(),
            Event::Started {
                tool: "t".into(),
                digest: None,
            },
        )
    }

    fn temporary(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("journal-{}-{name}.jsonl", TraceId::new()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn of_many_that_race_for_a_position_one_wins() {
        let path = temporary("race");
        let stream = TraceId::new();
        let wins: usize = std::thread::scope(|scope| {
            let racers: Vec<_> = (0..8)
                .map(|_| {
                    let journal = FileJournal::open(&path).unwrap();
                    scope.spawn(move || {
                        usize::from(journal.shared.append(stream, 0, started()).is_ok())
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).sum()
        });
        assert_eq!(wins, 1);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_line_cut_off_by_a_crash_is_no_event() {
        let path = temporary("torn");
        let stream = TraceId::new();
        FileJournal::open(&path)
            .unwrap()
            .shared
            .append(stream, 0, started())
            .unwrap();
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"{\"stream\":\"ab")
            .unwrap();
        let journal = FileJournal::open(&path).unwrap();
        journal.shared.append(stream, 1, started()).unwrap();
        let again = FileJournal::open(&path).unwrap();
        let count = again
            .shared
            .with_file(|_, known| Ok(known.streams[&stream].len()))
            .unwrap();
        assert_eq!(count, 2);
        let torn = PathBuf::from(format!("{}.torn", path.display()));
        assert_eq!(std::fs::read(&torn).unwrap(), b"{\"stream\":\"ab\n");
        std::fs::remove_file(torn).unwrap();
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_no_journal_is_told() {
        let path = temporary("foreign");
        std::fs::write(&path, "hello\n").unwrap();
        let error = FileJournal::open(&path).unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
        std::fs::remove_file(path).unwrap();
    }
}
