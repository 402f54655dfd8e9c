import { wordsOf } from '../../domain/text/words.ts';
import type { Part, Role } from '../../domain/message.ts';
import { indexText, indexTitle } from '../engine/search-index.ts';
import { one, type Connection } from './connection.ts';
import { LOST_PARTS, type Copied } from './salvage-rows.ts';

/** Missing messages of one session that are filled in; a number far beyond is itself damage. */
const FILLED = 10_000;

/** Adds tables with missing rows on readable pages: a page in the wrong place is well-formed. */
export function noticeLosses(target: Connection, copied: Copied): void {
  const losses = {
    sessions: `SELECT 1 FROM messages WHERE session_id NOT IN (SELECT id FROM sessions)
      UNION ALL SELECT 1 FROM runs WHERE session_id NOT IN (SELECT id FROM sessions)`,
    messages: 'SELECT 1 FROM messages GROUP BY session_id HAVING max(seq) <> count(*)',
    runs: `SELECT 1 FROM ledger WHERE run_id NOT IN (SELECT id FROM runs)
      UNION ALL SELECT 1 FROM checkpoints WHERE run_id NOT IN (SELECT id FROM runs)`,
    results: 'SELECT 1 FROM result_pieces WHERE result NOT IN (SELECT number FROM results)',
  } as const;
  for (const [table, sql] of Object.entries(losses)) {
    if (target.get(`${sql} LIMIT 1`) !== undefined)
      copied.damaged.add(table as keyof typeof losses);
  }
}

/** Makes what was rescued agree with itself again: owners exist, numbers have no gaps, counts are true. */
export function mendSessions(target: Connection): void {
  target.exec("INSERT OR IGNORE INTO meta (key, value) VALUES ('epoch', 0)");
  adoptOrphans(target);
  fillGaps(target);
  raiseEpoch(target);
  indexAll(target);
}

/** Records of sessions and runs whose own row was lost get one that says so. */
function adoptOrphans(target: Connection): void {
  target.exec(`
    INSERT INTO sessions (id, type, title, created_at, updated_at, touched)
      SELECT DISTINCT session_id, 'main', 'Rescued session', 0, 0, 0 FROM messages
      WHERE session_id NOT IN (SELECT id FROM sessions);
    UPDATE sessions SET parent_id = NULL
      WHERE parent_id IS NOT NULL AND parent_id NOT IN (SELECT id FROM sessions);
    DELETE FROM sessions WHERE snapshot_of IS NOT NULL AND snapshot_of NOT IN (SELECT id FROM sessions);
    UPDATE sessions SET
      created_at = coalesce((SELECT min(created_at) FROM messages WHERE session_id = sessions.id), 0),
      updated_at = coalesce((SELECT max(created_at) FROM messages WHERE session_id = sessions.id), 0)
      WHERE touched = 0;
    UPDATE sessions SET (input_tokens, output_tokens, cost) = (
      SELECT coalesce(sum(input_tokens + cache_read_tokens + cache_write_tokens), 0),
        coalesce(sum(output_tokens), 0), coalesce(sum(cost), 0)
      FROM usage WHERE session_id = sessions.id) WHERE touched = 0;
    INSERT INTO runs (id, session_id, state, iteration, model, mode, cancel_requested, resume_available,
        started_at, heartbeat_at)
      SELECT DISTINCT run_id, session_id, 'timed_out', 0, '', 'ask', 0, 0, 0, 0 FROM ledger
      WHERE run_id NOT IN (SELECT id FROM runs);
    DELETE FROM checkpoints WHERE run_id NOT IN (SELECT id FROM runs);
    DELETE FROM result_pieces WHERE result NOT IN (SELECT number FROM results);
  `);
  dropStrangers(target);
  target.exec('DELETE FROM ledger WHERE run_id NOT IN (SELECT id FROM runs)');
}

/** Deletes what belongs to no session. */
export function dropStrangers(target: Connection): void {
  for (const table of wordsOf('messages compactions queued drafts runs results attachments'))
    target.exec(`DELETE FROM ${table} WHERE session_id NOT IN (SELECT id FROM sessions)`);
}

/** Every number below a session's last one gets a message, so that nothing is missing silently. */
function fillGaps(target: Connection): void {
  const sessions = target.all<{ id: string; last: number; count: number }>(
    'SELECT session_id AS id, max(seq) AS last, count(*) AS count FROM messages GROUP BY session_id',
  );
  for (const session of sessions) {
    if (session.last === session.count) continue;
    const present = new Set(
      target
        .all<{ seq: number }>('SELECT seq FROM messages WHERE session_id = ?', session.id)
        .map((row) => row.seq),
    );
    const highest = Math.min(session.last, session.count + FILLED);
    target.run('DELETE FROM messages WHERE session_id = ? AND seq > ?', session.id, highest);
    for (let seq = 1; seq < highest; seq += 1) {
      if (present.has(seq)) continue;
      target.run(
        `INSERT INTO messages (session_id, seq, id, role, origin, created_at, parts)
         VALUES (?, ?, ?, 'user', 'policy', 0, ?)`,
        session.id,
        seq,
        `lost-${seq}`,
        LOST_PARTS,
      );
    }
  }
  target.exec(`UPDATE sessions SET message_count =
    (SELECT count(*) FROM messages WHERE session_id = sessions.id)`);
}

/** Ids of the damaged database must not come again, even where its counter was lost. */
function raiseEpoch(target: Connection): void {
  let highest = one<{ value: number }>(target, "SELECT value FROM meta WHERE key = 'epoch'").value;
  for (const [table, column] of [
    ['sessions', 'id'],
    ['messages', 'id'],
    ['runs', 'id'],
    ['events', "'e' || epoch || '-'"],
  ] as const) {
    for (const row of target.iterate<{ id: string }>(
      `SELECT DISTINCT ${column} AS id FROM ${table}`,
    )) {
      const epoch = Number(/^[a-z]+(\d{1,9})-/.exec(row.id)?.[1] ?? 0);
      highest = Math.max(highest, epoch);
    }
  }
  target.run("UPDATE meta SET value = ? WHERE key = 'epoch'", highest + 1000);
}

function indexAll(target: Connection): void {
  const shown = 'snapshot_of IS NULL AND importing IS NULL';
  const titles = target.all<{ number: number; id: string; title: string }>(
    `SELECT number, id, title FROM sessions WHERE ${shown}`,
  );
  for (const session of titles) indexTitle(target, session.number, session.id, session.title);
  const messages = target.iterate<{ number: number; role: Role; parts: string }>(
    `SELECT number, role, parts FROM messages
     WHERE session_id IN (SELECT id FROM sessions WHERE ${shown})`,
  );
  for (const { number, role, parts } of messages)
    indexText(target, number, { role, parts: JSON.parse(parts) as Part[] });
  target.exec("UPDATE meta SET value = 0 WHERE key = 'unindexed'");
}
