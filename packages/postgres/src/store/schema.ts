import type { Migration } from 'dragoman/database'

/** Advisory locks by purpose. The second number is a hash of what is locked. */
const KEY_LOCKS = 7_310_001
const THREAD_LOCKS = 7_310_002
export const OWNER_LOCKS = 7_310_003
export const LEADER_LOCKS = 7_310_005
export const IMPORT_LOCK = 7_310_006
export const RENUMBER_LOCK = 7_310_007
export const PART_LOCKS = 7_310_008

/** The database's clock, in ms since 1970. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * The tables of the log. A delta is a row of columns; `body` of every other entry is its event as JSON. `at` counts
 * milliseconds since the run's start. `version` grows with each change of structure: a writer that knows the version
 * knows the state. A delta updates no row, so an old snapshot elsewhere does not make appends slower.
 *
 * The entries have no foreign key: its check would cost as much as the insert. What removes a run removes its entries.
 * The order of their columns saves padding, 8 bytes an entry.
 */
const TABLES = [
  `CREATE TABLE runs (
  num bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  thread_id text NOT NULL,
  user_id text NOT NULL,
  message_id text NOT NULL,
  agent text NOT NULL,
  parent_id text,
  run_key text,
  request text NOT NULL,
  reply text NOT NULL,
  on_crash text NOT NULL,
  created_at bigint NOT NULL,
  place text
)`,
  `CREATE INDEX idx_runs_thread ON runs (thread_id, num)`,
  `CREATE UNIQUE INDEX idx_runs_message ON runs (user_id, message_id)`,
  `CREATE TABLE run_states (
  num bigint PRIMARY KEY REFERENCES runs (num) ON DELETE CASCADE,
  version integer NOT NULL,
  status text NOT NULL,
  epoch integer NOT NULL,
  last_seq integer NOT NULL,
  last_at bigint NOT NULL,
  owner text,
  open_calls integer NOT NULL,
  waiting_until double precision NOT NULL,
  changed xid8 NOT NULL,
  form integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80)`,
  `CREATE INDEX idx_run_states_changed ON run_states (changed)`,
  `CREATE INDEX idx_run_states_running ON run_states (owner) WHERE status = 'running'`,
  `CREATE INDEX idx_run_states_queued ON run_states (num) WHERE status = 'queued'`,
  `CREATE INDEX idx_run_states_waiting
  ON run_states ((CASE WHEN open_calls = 0 THEN 0 ELSE waiting_until END)) WHERE status = 'waiting'`,
  `CREATE INDEX idx_run_states_ended ON run_states (form, last_at)
  WHERE status IN ('finished', 'failed', 'cancelled')`,
  `CREATE TABLE run_keys (
  user_id text NOT NULL,
  key text NOT NULL,
  num bigint NOT NULL REFERENCES runs (num) ON DELETE CASCADE,
  PRIMARY KEY (user_id, key)
)`,
  `CREATE INDEX idx_run_keys_run ON run_keys (num)`,
  `CREATE TABLE owners (
  owner text PRIMARY KEY,
  alive_until bigint NOT NULL,
  reported_at bigint NOT NULL,
  place text
)`,
  `CREATE TABLE run_entries (
  run bigint NOT NULL,
  at bigint NOT NULL,
  seq integer NOT NULL,
  kind smallint NOT NULL,
  part text,
  body text NOT NULL,
  PRIMARY KEY (run, seq)
)`,
  `CREATE INDEX idx_run_entries_structure ON run_entries (run, seq) WHERE kind = 0`,
  `CREATE TABLE run_pieces (
  run bigint NOT NULL,
  last integer NOT NULL,
  first integer NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (run, last)
)`,
  // What rate limits count. A crash of the server empties it.
  `CREATE UNLOGGED TABLE use_counts (
  key text PRIMARY KEY,
  count bigint NOT NULL,
  ends_at bigint NOT NULL
)`,
]

/**
 * Admits a run in one statement. Admissions with a common key, or to one thread, come one after the other: their
 * locks are taken in one order. The answer is `created`, `known` or `busy`, with the run that counts.
 */
const CREATE_RUN = `
CREATE FUNCTION dragoman_create_run(
  p_id text, p_thread text, p_user text, p_message text, p_agent text, p_parent text, p_key text, p_request text,
  p_reply text, p_on_crash text, p_keys text[], p_queue boolean, p_owner text, p_started text, p_place text
) RETURNS TABLE (outcome text, run_num bigint, run_status text, run_epoch integer, run_created_at bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_num bigint;
  v_status text := 'running';
  v_epoch integer := 0;
  v_now bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(${KEY_LOCKS}, hash) FROM (
    SELECT DISTINCT hashtext(p_user || chr(1) || key) AS hash FROM unnest(p_keys) AS key ORDER BY 1) hashes;
  PERFORM pg_advisory_xact_lock(${THREAD_LOCKS}, hashtext(p_thread));

  SELECT k.num INTO v_num FROM unnest(p_keys) WITH ORDINALITY AS wanted (key, place)
    JOIN run_keys k ON k.user_id = p_user AND k.key = wanted.key ORDER BY wanted.place LIMIT 1;
  IF v_num IS NULL THEN
    SELECT r.num INTO v_num FROM runs r WHERE r.id = p_id;
  END IF;
  IF v_num IS NOT NULL THEN
    RETURN QUERY SELECT CASE WHEN r.id = p_id THEN 'created' ELSE 'known' END, r.num, s.status, s.epoch, r.created_at
      FROM runs r JOIN run_states s USING (num) WHERE r.num = v_num;
    RETURN;
  END IF;

  SELECT r.num INTO v_num FROM runs r JOIN run_states s USING (num)
    WHERE r.thread_id = p_thread AND s.status IN ('queued', 'running', 'waiting') ORDER BY r.num LIMIT 1;
  IF v_num IS NOT NULL AND NOT p_queue THEN
    RETURN QUERY SELECT 'busy', v_num, NULL::text, NULL::integer, NULL::bigint;
    RETURN;
  END IF;

  IF v_num IS NOT NULL THEN v_status := 'queued'; END IF;
  IF v_num IS NULL AND p_owner IS NOT NULL THEN v_epoch := 1; END IF;
  v_now := ${NOW};
  INSERT INTO runs (
      id, thread_id, user_id, message_id, agent, parent_id, run_key, request, reply, on_crash, created_at, place)
    VALUES (p_id, p_thread, p_user, p_message, p_agent, p_parent, p_key, p_request, p_reply, p_on_crash, v_now, p_place)
    RETURNING num INTO v_num;
  INSERT INTO run_states (num, version, status, epoch, last_seq, last_at, owner, open_calls, waiting_until, changed)
    VALUES (v_num, 1, v_status, v_epoch, 1, v_now, CASE WHEN v_epoch = 1 THEN p_owner END, 0, 'Infinity',
      pg_current_xact_id());
  INSERT INTO run_entries (run, seq, at, kind, part, body) VALUES (v_num, 1, 0, 0, NULL, p_started);
  INSERT INTO run_keys (user_id, key, num) SELECT p_user, key, v_num FROM unnest(p_keys) AS key ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT 'created', v_num, v_status, v_epoch, v_now;
END $$;
`

const ADD_CRASHES = 'ALTER TABLE run_states ADD COLUMN crashes integer NOT NULL DEFAULT 0'

/** Each claim adds one row, whichever statement makes it. */
const RUN_CLAIMS = [
  `CREATE TABLE run_claims (
  num bigint NOT NULL REFERENCES runs (num) ON DELETE CASCADE,
  epoch integer NOT NULL,
  owner text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (num, epoch)
)`,
  `CREATE FUNCTION dragoman_add_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_claims (num, epoch, owner, at) VALUES (NEW.num, NEW.epoch, NEW.owner, ${NOW});
  RETURN NULL;
END $$`,
  `CREATE TRIGGER add_first_claim AFTER INSERT ON run_states
  FOR EACH ROW WHEN (NEW.owner IS NOT NULL) EXECUTE FUNCTION dragoman_add_claim()`,
  `CREATE TRIGGER add_claim AFTER UPDATE OF epoch ON run_states
  FOR EACH ROW WHEN (NEW.epoch <> OLD.epoch AND NEW.owner IS NOT NULL) EXECUTE FUNCTION dragoman_add_claim()`,
]

/**
 * The tables and functions of the log, by version. Nodes of two versions share them during a rolling update, so a
 * function that changes gets a new name, and the old one goes a version later.
 */
export const logMigrations: readonly Migration[] = [
  { name: 'postgres-log-1', statements: [{ sqlite: [], postgres: [...TABLES, CREATE_RUN] }] },
  { name: 'postgres-log-2', statements: [{ sqlite: [], postgres: [ADD_CRASHES] }] },
  { name: 'postgres-log-3', olderMayWrite: true, statements: [{ sqlite: [], postgres: RUN_CLAIMS }] },
]
