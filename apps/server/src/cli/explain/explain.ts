import type { Command } from 'commander'

import { databasePath } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import type { LogEntry, RunSummary } from 'dragoman/events'
import type { Store } from 'dragoman/stores'
import { openSqlite } from 'dragoman/stores/sqlite'
import { createAuditLog, createUserHash } from 'dragoman/users'
import { homeOption, newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import { readHome } from '../read-home.ts'
import { withUserTables, type HomeOptions } from '../with-user-tables.ts'
import { actorOf } from './audit.ts'
import { explainRun, type Explanation } from './explain-run.ts'
import type { EntryTimes } from './tell-entries.ts'

type Options = HomeOptions & { readonly json?: boolean; readonly user?: string }
type Sources = { readonly store: Store; readonly hashUser: (userId: string) => string }

const DESCRIPTION =
  'Tells what happened to a run, in order of time: its nodes, models, tools, waits and end. It shows nothing that ' +
  'the user, the model or a tool has said. With --user it lists the latest runs of a user. It reads the database, ' +
  'also while servers run, and leaves an entry that dragoman audit lists.'
const PAGE = 1000
const MAX_LISTED = 20
const STRUCTURE = { structure: true, limit: PAGE } as const

export function explainCommand(): Command {
  return newCommand('explain')
    .description(DESCRIPTION)
    .argument('[RUN]', 'id of the run')
    .option('--user <NAME>', 'list the latest runs of a user, with the hash that stands for the user in logs')
    .option('--json', 'print JSON')
    .addOption(homeOption())
    .action(explain)
}

/** @throws ServiceError `invalid-request`, `not-found` */
async function explain(
  runId: string | undefined,
  { json = false, user, ...options }: Options,
): Promise<void> {
  if ((runId === undefined) === (user === undefined))
    throw new ServiceError('invalid-request', 'Name a run, or a user: dragoman explain RUN, or --user NAME.')
  const home = readHome(options)
  await withUserTables(options, async (db, shared) => {
    const own = shared ? undefined : openSqlite(databasePath(home)).store
    try {
      const sources = { store: shared ?? own, hashUser: await createUserHash({ home, db, env: process.env }) }
      const note = (action: string, subject: string): Promise<void> =>
        createAuditLog(db).add({ actor: actorOf(process.env), action, subject })
      if (runId !== undefined) await explainOne(runId, json, sources as Sources, note)
      else if (user !== undefined) await listRuns(user, json, sources as Sources, note)
    } finally {
      await own?.[Symbol.asyncDispose]()
    }
  })
}

/** Nothing is shown before the entry is written. */
type Note = (action: string, subject: string) => Promise<void>

async function explainOne(
  runId: string,
  json: boolean,
  { store, hashUser }: Sources,
  note: Note,
): Promise<void> {
  await note('explain', runId)
  const [run] = await store.summaries([runId])
  if (!run)
    throw new ServiceError('not-found', `There is no run ${runId}. Its conversation may have been deleted.`)
  const [claims, entries] = await Promise.all([store.claims(runId), run.pruned ? [] : readAll(store, runId)])
  const times = run.pruned ? NO_TIMES : await readTimes(store, run, entries)
  const explanation = explainRun({ run, claims, entries, times, hashUser })
  if (json) printJson(explanation)
  else print(explanation)
}

const NO_TIMES: EntryTimes = { before: new Map(), last: undefined }

/** A model's words are not read, but for when the last ones came. */
async function readTimes(
  store: Store,
  { id, lastSeq }: RunSummary,
  entries: readonly LogEntry[],
): Promise<EntryTimes> {
  const timeOf = async (seq: number): Promise<number | undefined> =>
    (await store.read(id, seq - 1, { to: seq, limit: 1 })).at(0)?.at
  const before = new Map<number, number>()
  for (const { seq, event } of entries) {
    const at = event.type === 'run.resumed' ? await timeOf(seq - 1) : undefined
    if (at !== undefined) before.set(seq, at)
  }
  return { before, last: await timeOf(lastSeq) }
}

async function readAll(store: Store, runId: string): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  for (let page: readonly LogEntry[] | undefined; page?.length !== 0;) {
    page = await store.read(runId, entries.at(-1)?.seq ?? 0, STRUCTURE)
    entries.push(...page)
  }
  return entries
}

function print({ run, thread, agent, user, status, log, usage, happenings }: Explanation): void {
  const { inputTokens, outputTokens, estimated } = usage
  const tokens = `${inputTokens} tokens read, ${outputTokens} written${estimated ? ', by estimate' : ''}`
  const lines = [
    `Run ${run} of the agent ${agent}: ${status}.`,
    `Thread ${thread}, user ${user}. ${tokens}.`,
    ...(log === 'kept' ? [] : ['Its log was deleted, as keepLogs says: only its nodes are known.']),
    '',
    ...happenings.map(({ at, text }) => `${at}  ${text}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function listRuns(
  user: string,
  json: boolean,
  { store, hashUser }: Sources,
  note: Note,
): Promise<void> {
  const hash = hashUser(user)
  await note('explain --user', hash)
  let runs: readonly RunSummary[] = []
  for (let after: string | undefined; ;) {
    const page = await store.changed(after, PAGE, { userId: user })
    runs = [...runs, ...page.runs].toSorted((a, b) => b.createdAt - a.createdAt).slice(0, MAX_LISTED)
    if (page.runs.length === 0 || page.cursor === after) break
    after = page.cursor
  }
  const listed = runs.map(({ id, status, agent, threadId, createdAt }) => {
    return { run: id, status, agent, thread: threadId, createdAt: new Date(createdAt).toISOString() }
  })
  if (json) return printJson({ user: hash, runs: listed })
  process.stdout.write(`The user is ${hash} in logs and traces.\n`)
  if (listed.length === 0) return void process.stderr.write('There are no runs of this user.\n')
  const rows = listed.map((each) => [each.createdAt, each.run, each.status, each.agent, each.thread])
  printTable([['BEGAN', 'RUN', 'STATUS', 'AGENT', 'THREAD'], ...rows])
}
