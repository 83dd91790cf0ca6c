//! The journals: one winner a position, and what another process finds.

use std::path::Path;

use tool_runtime::journal::{Event, FileJournal, Journal, JournalError, MemoryJournal, Record};
use tool_runtime::{Dispatcher, ToolCall, TraceId};

use crate::support::{Effects, approval, block_on, shop};

/// Real events, out of a real call.
fn records() -> Vec<Record> {
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(Effects::default())
        .build()
        .unwrap();
    let call = ToolCall::new("refund", r#"{"order":1,"cents":5}"#);
    let waiting = approval(&block_on(dispatcher.dispatch(call)));
    block_on(dispatcher.approve(&waiting, "ann")).unwrap();
    let stream = TraceId::parse(&waiting).unwrap();
    block_on(dispatcher.journal().read(stream)).unwrap()
}

fn names(records: &[Record]) -> Vec<&'static str> {
    records
        .iter()
        .map(|record| match &record.event {
            Event::Asked(_) => "asked",
            Event::Approved { .. } => "approved",
            Event::Started { .. } => "started",
            Event::Finished { .. } => "finished",
            _ => "other",
        })
        .collect()
}

fn append(journal: &dyn Journal, stream: TraceId, at: u64, record: &Record) -> bool {
    match block_on(journal.append(stream, at, record.clone())) {
        Ok(()) => true,
        Err(JournalError::Conflict { position, .. }) => {
            assert_eq!(position, at);
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// What every journal promises.
fn keeps_its_promise(journal: &dyn Journal) {
    let records = records();
    assert_eq!(
        names(&records),
        ["asked", "approved", "started", "finished"]
    );
    let (one, other) = (TraceId::new(), TraceId::new());
    assert_eq!(block_on(journal.read(one)).unwrap(), []);
    for (position, record) in (0_u64..).zip(&records) {
        assert!(append(journal, one, position, record));
        // A position is taken once, and none is left out.
        assert!(!append(journal, one, position, record));
        assert!(!append(journal, one, position + 2, record));
        // Streams do not touch each other.
        assert!(append(journal, other, position, record));
    }
    assert_eq!(block_on(journal.read(one)).unwrap(), records);
    assert_eq!(block_on(journal.approvals()).unwrap(), [one, other]);
}

#[test]
fn a_position_of_a_stream_is_taken_once() {
    let folder = tempfile::tempdir().unwrap();
    keeps_its_promise(&MemoryJournal::default());
    keeps_its_promise(&FileJournal::open(folder.path().join("new/folder/journal")).unwrap());
}

#[test]
fn two_journals_over_one_file_see_each_others_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let journals = [
        FileJournal::open(&path).unwrap(),
        FileJournal::open(&path).unwrap(),
    ];
    let (stream, records) = (TraceId::new(), records());
    for (position, record) in records.iter().enumerate() {
        let journal = &journals[position % 2];
        assert!(append(journal, stream, position as u64, record));
    }
    for journal in &journals {
        assert_eq!(block_on(journal.read(stream)).unwrap(), records);
    }
}

#[test]
fn g02_threads_that_append_at_once_leave_one_line_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (stream, record) = (TraceId::new(), records().remove(2));
    const THREADS: usize = 8;
    const EACH: usize = 25;
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let journal = FileJournal::open(&path).unwrap();
            let record = &record;
            scope.spawn(move || {
                for _ in 0..EACH {
                    // The next position, wherever it has got to by then.
                    loop {
                        let next = block_on(journal.read(stream)).unwrap().len() as u64;
                        if append(&journal, stream, next, record) {
                            break;
                        }
                    }
                }
            });
        }
    });
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), THREADS * EACH);
    let journal = FileJournal::open(&path).unwrap();
    assert_eq!(
        block_on(journal.read(stream)).unwrap().len(),
        THREADS * EACH
    );
}

fn damaged(path: &Path) -> String {
    match FileJournal::open(path) {
        Err(error @ JournalError::Damaged { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_that_was_changed_by_hand_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (stream, records) = (TraceId::new(), records());
    let journal = FileJournal::open(&path).unwrap();
    for (position, record) in (0_u64..).zip(&records) {
        assert!(append(&journal, stream, position, record));
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // A line is missing, doubled, out of order, or no event.
    for (changed, line) in [
        (vec![lines[0], lines[2], lines[3]], "line 2"),
        (vec![lines[0], lines[1], lines[1]], "line 3"),
        (vec![lines[1], lines[0]], "line 1"),
        (vec![lines[0], "{}"], "line 2"),
        (vec![lines[0], "\u{0}"], "line 2"),
    ] {
        std::fs::write(&path, changed.join("\n") + "\n").unwrap();
        assert!(damaged(&path).contains(line), "{}", damaged(&path));
        // And a dispatcher over it runs nothing that has to be recorded.
        assert!(!append_fails_softly(&journal, stream, &records[0]));
    }
}

/// Whether an append to a damaged journal claims to have worked.
fn append_fails_softly(journal: &FileJournal, stream: TraceId, record: &Record) -> bool {
    block_on(journal.append(stream, 4, record.clone())).is_ok()
}

#[test]
fn a_line_that_a_crash_cut_off_is_set_aside_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (stream, records) = (TraceId::new(), records());
    {
        let journal = FileJournal::open(&path).unwrap();
        assert!(append(&journal, stream, 0, &records[0]));
        assert!(append(&journal, stream, 1, &records[1]));
    }
    let whole = std::fs::read(&path).unwrap();
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    // Wherever it was cut: also inside a character, and just before the line's end.
    for cut in [second + 1, second + 30, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let journal = FileJournal::open(&path).unwrap();
        assert_eq!(block_on(journal.read(stream)).unwrap(), records[..1]);
        assert!(append(&journal, stream, 1, &records[1]));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    let aside = std::fs::read(folder.path().join("journal.torn")).unwrap();
    assert_eq!(aside.iter().filter(|byte| **byte == b'\n').count(), 3);
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    FileJournal::open(&path).unwrap();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_journal_in_memory_forgets_calls_and_never_approvals() {
    let journal = MemoryJournal::keeping(3);
    let records = records();
    let waiting = TraceId::new();
    assert!(append(&journal, waiting, 0, &records[0]));
    let streams: Vec<TraceId> = (0..10).map(|_| TraceId::new()).collect();
    for stream in &streams {
        assert!(append(&journal, *stream, 0, &records[3]));
    }
    let kept: Vec<TraceId> = journal.recent().into_iter().map(|(id, _)| id).collect();
    assert_eq!(kept, streams[7..]);
    assert_eq!(block_on(journal.read(waiting)).unwrap(), records[..1]);
}

#[test]
fn what_is_recorded_reads_back_as_it_was() {
    for record in records() {
        let text = serde_json::to_string(&record).unwrap();
        let again: Record = serde_json::from_str(&text).unwrap();
        assert_eq!(again, record);
        assert_eq!(serde_json::to_string(&again).unwrap(), text);
    }
}
