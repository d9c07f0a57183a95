import type { Kysely } from 'kysely'

import type { ToolModel } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import { ownPosting } from '../postings/own-posting.ts'
import { chosenResume } from '../resumes/chosen-resume.ts'
import { keyedQueue } from '@dragoman/agent-kit/keyed-queue'
import type { Tables } from '../tables.ts'
import { refuseLongResume, normalizeSpaces } from './ask-for-rewrite.ts'
import { baseText, postingText } from './base-resume.ts'
import { checkInWorker, compareInWorker, refuseTooLong } from './check-in-worker.ts'
import type { Difference } from './difference-shape.ts'
import { rewriteResume, type Stage } from './rewrite-resume.ts'
import type { Change, Suggestion, Version } from './version.ts'
import {
  versions,
  type VersionPage,
  type AddedVersion,
  type NewRow,
  type Versions,
  type VersionFilter,
} from './versions.ts'

export type TailorRequest = {
  readonly jobId: number
  /** The default resume unless told. */
  readonly resumeId?: number | undefined
  /** Whether a version that is there is to be followed by another. */
  readonly forceNew?: boolean | undefined
  /** A second call with the same key returns the version of the first call. */
  readonly callKey?: string | undefined
}
export type WriteRequest = Pick<TailorRequest, 'jobId' | 'resumeId'> & { readonly content: string }
export type TailorOptions = {
  readonly model: ToolModel
  readonly signal: AbortSignal
  readonly tell?: ((stage: Stage) => void) | undefined
}
/** A version, and how it differs from the base resume. */
export type Tailored = Version & { readonly isNew: boolean; readonly diff: Difference }

/** Makes versions of resumes for single postings, and checks each against the resume that it comes from. */
export interface Tailoring {
  /**
   * @throws ServiceError `not-found`; `invalid-request` for a job without text; `model-missing`, `model-failed`,
   * `timed-out`: then nothing is stored
   */
  tailor(userId: string, request: TailorRequest, by: TailorOptions): Promise<Tailored>
  /**
   * Stores a user's own text as a version, without a model. It is checked like any other. @throws ServiceError
   * `not-found`; `invalid-request` for the base resume itself
   */
  write(userId: string, request: WriteRequest): Promise<Tailored>
  /**
   * Makes a version of the user's own words. @throws ServiceError `not-found`; `invalid-request` for the base resume
   * itself
   */
  edit(userId: string, id: number, content: string): Promise<Tailored>
  /** Makes an earlier version the latest again, as a version of its own. @throws ServiceError `not-found` */
  restore(userId: string, id: number): Promise<Tailored>
  /** How a version differs from the base resume, or from another version. @throws ServiceError `not-found` */
  difference(userId: string, id: number, against: number | 'base'): Promise<Difference>
  /** The newest first. @throws ServiceError `not-found` for a job that is not there */
  list(
    userId: string,
    which: VersionFilter,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<VersionPage>
  /** @throws ServiceError `not-found` for a job that is not there */
  knowsJob(userId: string, jobId: number): Promise<void>
  /** What a file of a version is called. */
  nameOf(userId: string, version: Version): Promise<string>
  readonly versions: Versions
}

export function tailoring(database: Database): Tailoring {
  const db = database.withTables<Tables>()
  const store = versions(db)
  const turn = keyedQueue()

  const toTailored = async (userId: string, { version, isNew }: AddedVersion): Promise<Tailored> => {
    const base = await baseText(db, userId, version)
    return { ...version, isNew, diff: await compareInWorker(userId, base, version.content) }
  }
  const follow = async (userId: string, from: Origin, next: Next): Promise<Tailored> =>
    toTailored(userId, await store.add(await following(db, userId, from, next), true))

  return {
    versions: store,

    tailor: async (userId, request, by) => {
      const one = `${userId} ${request.jobId} ${request.resumeId ?? 'default'}`
      return toTailored(userId, await turn(one, by.signal, () => made(db, store, { ...request, userId }, by)))
    },

    write: async (userId, request) => follow(userId, ...(await ownText(db, userId, request))),

    async edit(userId, id, content) {
      refuseTooLong('content', content)
      const from = await store.get(userId, id)
      if (from.isLatest && from.content === content)
        return toTailored(userId, { version: from, isNew: false })
      const { content: before } = from
      return follow(userId, from, { content, before, origin: 'edit', model: null, suggestions: [] })
    },

    async restore(userId, id) {
      const from = await store.get(userId, id)
      if (from.isLatest) return toTailored(userId, { version: from, isNew: false })
      const { content, model, suggestions } = from
      const latest = await store.find(userId, { jobId: from.jobId, resumeId: from.resumeId })
      const before = (latest ?? from).content
      return follow(userId, from, { content, before, origin: 'restore', model, suggestions })
    },

    async difference(userId, id, against) {
      const version = await store.get(userId, id)
      const before =
        against === 'base' ? await baseText(db, userId, version) : (await store.get(userId, against)).content
      return compareInWorker(userId, before, version.content)
    },

    async list(userId, which, page) {
      if (which.jobId !== undefined) await ownPosting(db, userId, which.jobId)
      return store.list(userId, which, page)
    },

    knowsJob: (userId, jobId) => ownPosting(db, userId, jobId).then(() => undefined),

    async nameOf(userId, { jobId, resumeId }) {
      const { company } = await ownPosting(db, userId, jobId)
      return `${(await chosenResume(db, userId, resumeId)).name} - ${company}`
    },
  }
}

/** What was made by the same call, what is there, or else a new one. */
async function made(
  db: Kysely<Tables>,
  store: Versions,
  { userId, jobId, resumeId, forceNew = false, callKey }: TailorRequest & { readonly userId: string },
  by: TailorOptions,
): Promise<AddedVersion> {
  const before = callKey === undefined ? undefined : await store.byCall(userId, callKey)
  if (before) return { version: before, isNew: true }
  const job = await ownPosting(db, userId, jobId)
  const resume = await chosenResume(db, userId, resumeId)
  const latest = forceNew ? undefined : await store.find(userId, { jobId, resumeId: resume.id })
  if (latest) return { version: latest, isNew: false }
  if (!job.description?.trim()) throw withoutText(jobId)
  refuseLongResume(resume.content)
  const row = await rewriteResume(job, resume, by)
  by.signal.throwIfAborted()
  return store.add({ ...row, user_id: userId, call_key: callKey ?? null }, forceNew)
}

function withoutText(jobId: number): ServiceError {
  return new ServiceError(
    'invalid-request',
    `Job ${jobId} has no description to tailor a resume for: put its page in with POST /jobs/ingest.`,
  )
}

type Next = {
  readonly content: string
  /** What the user had until now. */
  readonly before: string
  readonly origin: 'edit' | 'restore'
  readonly model: string | null
  readonly suggestions: readonly Suggestion[]
}

/** What a version is made of. */
type Origin = Pick<Version, 'jobId' | 'resumeId' | 'resumeVersion'> & {
  readonly version: Version['version'] | 'base'
}

/** A user's own text, with the resume that it is made of. */
async function ownText(
  db: Kysely<Tables>,
  userId: string,
  { jobId, resumeId, content }: WriteRequest,
): Promise<[Origin, Next]> {
  refuseTooLong('content', content)
  const { id, version, content: before } = await chosenResume(db, userId, resumeId)
  const from: Origin = { jobId, resumeId: id, resumeVersion: version, version: 'base' }
  return [from, { content, before, origin: 'edit', model: null, suggestions: [] }]
}

/** A version by edit or restore. It is checked like a version of the model. */
async function following(
  db: Kysely<Tables>,
  userId: string,
  from: Origin,
  { content, before, origin, model, suggestions }: Next,
): Promise<NewRow> {
  const base = await baseText(db, userId, from)
  if (normalizeSpaces(base) === normalizeSpaces(content)) {
    throw new ServiceError(
      'invalid-request',
      'content is the base resume as it was: it is not tailored. Use the resume itself.',
    )
  }
  const job = await ownPosting(db, userId, from.jobId)
  const request = { base, tailored: content, posting: postingText(job), before, proposed: [] }
  const { truth, difference } = await checkInWorker(userId, request)
  const { added, removed, sections } = difference
  const change: Change = { from: from.version, added, removed, sections }
  return {
    user_id: userId,
    job_id: from.jobId,
    resume_id: from.resumeId,
    resume_version: from.resumeVersion,
    content,
    suggestions: JSON.stringify(suggestions),
    truth: JSON.stringify(truth),
    origin,
    model,
    change: JSON.stringify(change),
  }
}
