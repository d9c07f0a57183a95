import { pino, type DestinationStream, type Logger } from 'pino'

import { isServiceError } from '../errors.ts'
import { hideKeys, plainError, scrub, stackOf } from '../scrub/index.ts'
import { visibleText, type Run } from '../events/index.ts'
import { nodeOf, ownerName } from '../log/index.ts'
import type { AttemptActivity, RunActivity } from './attempt-tracker.ts'
import { prettyLog } from './pretty-log.ts'

/** Names a user without the user's id. */
type HashUser = (userId: string) => string

/** The log of the process: lines of JSON on standard error. Standard output contains only the ready line. */
export interface ProcessLog {
  info(fields: object, message: string): void
  /** What an operator should see: something has gone wrong, or was refused. */
  alert(fields: Readonly<Record<string, unknown>>, message: string, level?: 'warn' | 'error'): void
  /** Lines name users by this hash from now on. Before, they name none. */
  nameUsers(hash: HashUser): void
  /** The user of a line. Nothing for a caller without one. */
  userField(userId: string | undefined): { readonly user?: string }
  /** The user, thread, run and agent of a line, and this node. */
  namesOf(run: RunNames): object
  /** This process, as lines name it. */
  readonly node: string
  /**
   * Asks `isKnown`, with what the database said, before a line that it cannot be used. True leaves the line out. It
   * must not reject.
   */
  onUnavailable(isKnown: (reason: string) => Promise<boolean>): void
  /** Adds values that no later line has. */
  hide(secrets: readonly string[]): void
  /** A problem with the configuration that the server ignores. */
  warn(problem: string): void
  /** A client of this machine asks to be let in. Only this line has the code, so no level leaves it out. */
  pairing(pairing: { readonly code: string; readonly client: string }): void
  /** Another process has taken over a run of this one, which was frozen too long. */
  runLost(runId: string): void
  /** An error that no code has foreseen and no request or run has caused: the process closes and exits. */
  crash(error: unknown): void
  /** Why the process refuses to start. */
  refusal(error: Error): void
  /**
   * An error, with its run or its task. A refusal with a code, such as a model provider's, is one warning. An
   * unforeseen error is logged with its stack. An unusable database is logged with SQLite's message (such as a
   * full disk).
   */
  report(error: unknown, where: string): void
  /** A request and its answer, at level debug. */
  request(line: { readonly userId?: string | undefined }): void
  /** Whether runs are logged, at level debug: their start, and their end or suspension, by ids and numbers. */
  readonly logsRuns: boolean
  runStart(run: Run): void
  runActivity(run: Run, activity: RunActivity): void
}

/** Lines have no keys: none of `secrets`, and nothing that looks like a key. Nothing in them is hidden from the eye. */
export function createProcessLog(
  level: string,
  secrets: readonly string[] = [],
  destination: DestinationStream = standardError(),
): ProcessLog {
  let hidden = secrets
  let hashUser: HashUser | undefined
  const clean = (text: string): string => hideKeys(text, hidden)
  const lines = createLogger(level, clean, destination)
  const always = lines.child({}, { level: 'info' })
  let isKnownOutage = async (_reason: string): Promise<boolean> => false
  const sayUnavailable = async (reason: string, where: string): Promise<void> => {
    if (!(await isKnownOutage(reason))) lines.error({ reason, where }, 'unavailable')
  }
  const userField: ProcessLog['userField'] = (userId) =>
    userId !== undefined && hashUser ? { user: hashUser(userId) } : {}
  const namesOf: ProcessLog['namesOf'] = ({ userId, threadId: thread, id: run, agent }) => ({
    ...userField(userId),
    thread,
    run,
    agent,
    node: NODE,
  })
  return {
    info: (fields, message) => lines.info(fields, message),
    alert: (fields, message, alertLevel = 'warn') => lines[alertLevel](mapTexts(fields, clean), message),
    nameUsers: (hash) => void (hashUser = hash),
    namesOf,
    userField,
    node: NODE,
    onUnavailable: (isKnown) => void (isKnownOutage = isKnown),
    hide: (more) => void (hidden = [...new Set([...hidden, ...more])]),
    warn: (problem) => lines.warn({ problem: clean(problem) }, 'passed over'),
    pairing: (pairing) => always.info(pairing, 'a client asks to be let in; give it this code'),
    runLost: (run) => lines.warn({ run, node: NODE }, 'another process has taken the run over'),
    crash: (err) => lines.fatal({ err }, 'unforeseen error: the server closes and exits'),
    refusal: ({ message }) => lines.fatal({ reason: clean(message) }, 'refused'),
    report(error, where) {
      const err = plainError(error)
      const cause = isServiceError(err, 'unavailable') ? plainError(err.cause) : undefined
      const reason = cause instanceof Error ? cause.message : undefined
      if (reason !== undefined) void sayUnavailable(clean(reason), where)
      else if (!isServiceError(err) || err.code === 'internal') lines.error({ err, where }, 'unforeseen')
      else {
        lines.warn({ code: err.code, reason: clean(err.message), ...causeOf(err, clean), where }, 'failed')
        lines.debug({ err, where }, 'its cause')
      }
    },
    request: ({ userId, ...line }) => lines.debug({ ...line, ...userField(userId) }, 'answered'),
    logsRuns: lines.isLevelEnabled('debug'),
    runStart: (run) =>
      lines.debug({ ...namesOf(run), attempt: run.epoch, protocol: run.reply.protocol }, 'run begun'),
    runActivity(run, activity) {
      if (activity.type !== 'attempt') return
      lines.debug({ ...namesOf(run), attempt: run.epoch, ...attemptFields(activity) }, 'run over')
    },
  }
}

function attemptFields({ outcome, error, model, steps, usage, start, end }: AttemptActivity): object {
  const { inputTokens, outputTokens } = usage
  return { outcome, error, model, steps, inputTokens, outputTokens, ms: end - start }
}

function createLogger(
  level: string,
  clean: (text: string) => string,
  destination: DestinationStream,
): Logger {
  const serializers = { err: (error: unknown) => mapTexts(serializeError(error, clean), visibleText) }
  const formatters = { log: (fields: object) => mapTexts(fields, visibleText) as Record<string, unknown> }
  return pino({ level, base: null, serializers, formatters }, destination)
}

function standardError(): DestinationStream {
  return process.stderr.isTTY ? prettyLog(process.stderr) : pino.destination({ dest: 2, sync: true })
}

/** No line has more levels. A value may hold itself. */
const MAX_DEPTH = 10

/** The texts of plain objects and arrays, changed. */
function mapTexts<Fields extends object>(fields: Fields, change: (text: string) => string): Fields {
  const map = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return change(value)
    if (depth > MAX_DEPTH) return '…'
    if (Array.isArray(value)) return value.map((each) => map(each, depth + 1))
    // An error is formatted by its serializer, and a date or an address by itself.
    if (!isPlain(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [change(name), map(each, depth + 1)]),
    )
  }
  return map(fields, 0) as Fields
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

type RunNames = Pick<Run, 'id' | 'threadId' | 'agent' | 'userId'>

/** This process, as `nodeOf` names it. */
const NODE = nodeOf(ownerName())

/** The cause of a foreseen error, in the words of its source. */
export function causeOf(
  error: unknown,
  clean: (text: string) => string = (text) => text,
): { cause?: string } {
  const root = error instanceof Error ? rootCause(error) : undefined
  return root === undefined ? {} : { cause: clean(scrub(root)) }
}

const MAX_CAUSES = 4

/** The message of the last cause. It may name hosts and paths, which are for the owner of the server alone. */
function rootCause({ cause }: Error): string | undefined {
  let root = plainError(cause)
  for (let depth = 0; depth < MAX_CAUSES && root instanceof Error && root.cause !== undefined; depth++)
    root = plainError(root.cause)
  return root instanceof Error && !('responseBody' in root) ? textOf(root.message) : undefined
}

/** Serializes an error without the provider's response, which may quote a key. */
function serializeError(thrown: unknown, clean: (text: string) => string, depth = 0): object {
  const error = plainError(thrown)
  if (!(error instanceof Error)) return { message: clean(textOf(error)) }
  const code = 'code' in error ? { code: clean(textOf(error.code)) } : {}
  if ('responseBody' in error || 'requestBodyValues' in error) {
    return { type: error.name, ...('statusCode' in error && { statusCode: Number(error.statusCode) }) }
  }
  return {
    type: error.name,
    ...code,
    message: clean(textOf(error.message)),
    stack: clean(stackOf(error)),
    ...(error.cause !== undefined &&
      depth < MAX_CAUSES && { cause: serializeError(error.cause, clean, depth + 1) }),
  }
}

/** Code of others throws anything, also what has no text. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'a value without a text'
  }
}
