import type { AgentStorage } from 'dragoman/agents'
import type { Changes } from './postings/change-body.ts'
import type { Posting } from './postings/posting.ts'
import type { Postings } from './postings/postings.ts'
import { MAX_DESCRIPTION_LENGTH } from './postings/request-schemas.ts'
import { MAX_TEXT_BYTES } from './resumes/files/formats.ts'
import type { Resumes } from './resumes/resumes.ts'
import type { Sources } from './sources/sources.ts'
import { ROW_BYTES } from './stored-bytes.ts'
import type { Tailoring } from './tailoring/tailoring.ts'

/** What a posting's page adds at most: its description counts twice, for it is in the index, too. */
const MAX_PAGE_BYTES = 2 * MAX_DESCRIPTION_LENGTH
/** A resume is kept as its text, as a version of it, and as data. */
const RESUME_COPIES = 3
/** A version is kept with what was found in it, and what it changes. */
const TAILORED_COPIES = 3
/** What a model writes, or what an earlier version has: its size is not known before. */
const USUAL_TAILORED_BYTES = 30_000

/** An action of a user that changes what is stored. */
type Action<Arguments extends readonly unknown[], Result> = (
  userId: string,
  ...rest: Arguments
) => Promise<Result>
type Sizing<Arguments extends readonly unknown[]> = (
  userId: string,
  ...rest: Arguments
) => number | Promise<number>

// Below, each action of a store is named, so that a new one is not forgotten here.

/** Asks before each call whether its user has room for what it stores, and has it measured afterwards. */
function growing({ grow }: AgentStorage) {
  return <Arguments extends readonly unknown[], Result>(
    act: Action<Arguments, Result>,
    bytesOf: Sizing<Arguments>,
  ): Action<Arguments, Result> =>
    async (userId, ...rest) =>
      grow(userId, await bytesOf(userId, ...rest), () => act(userId, ...rest))
}

/** Asks before each call whether its user may create an entry, too. */
function creating(storage: AgentStorage, what: string) {
  const grow = growing(storage)
  return <Arguments extends readonly unknown[], Result>(
    act: Action<Arguments, Result>,
    bytesOf: Sizing<Arguments>,
  ): Action<Arguments, Result> => {
    const create = grow(act, bytesOf)
    return async (userId, ...rest) => {
      await storage.mayCreate(userId, what)
      return create(userId, ...rest)
    }
  }
}

const nothing = (): number => 0

/** `isBackground`: for work in the background, which may bring many postings at once. */
export function limitPostings(
  postings: Postings,
  storage: AgentStorage,
  { isBackground = false } = {},
): Postings {
  const grow = growing(storage)
  const create = isBackground ? grow : creating(storage, 'postings')
  const { get, details, list, search, counts, export: exported } = postings
  return {
    get,
    details,
    list,
    search,
    counts,
    export: exported,
    create: create(postings.create, (_, posting) => ROW_BYTES + 2 * sizeOf(posting)),
    ingest: create(
      postings.ingest,
      (_, { content }) => ROW_BYTES + Math.min(2 * Buffer.byteLength(content), MAX_PAGE_BYTES),
    ),
    keep: create(postings.keep, (_, posting) => ROW_BYTES + 2 * sizeOf(posting)),
    touch: creating(storage, 'contacts')(postings.touch, (_, _id, touch) => ROW_BYTES + sizeOf(touch)),
    change: grow(postings.change, async (userId, id, changes) => {
      const posting = await postings.get(userId, id)
      if (changesStanding(posting, changes)) await storage.mayCreate(userId, 'changes of a status')
      return growthOf(posting, changes)
    }),
    remove: grow(postings.remove, nothing),
  }
}

export function limitResumes(resumes: Resumes, storage: AgentStorage): Resumes {
  const create = creating(storage, 'resumes')
  const grow = growing(storage)
  const { get, getDefault, data, list, setDefault, versions, version } = resumes
  const sizeOfText = (text: Parameters<Resumes['create']>[1]['text']): number => {
    const size = 'file' in text ? text.file.byteLength : Buffer.byteLength(text.content)
    return ROW_BYTES + RESUME_COPIES * Math.min(size, MAX_TEXT_BYTES)
  }
  return {
    get,
    getDefault,
    data,
    list,
    setDefault,
    versions,
    version,
    create: create(resumes.create, (_, { text }) => sizeOfText(text)),
    update: create(resumes.update, (_, _id, { text }) => (text ? sizeOfText(text) : nothing())),
    restore: create(
      resumes.restore,
      async (userId, id, number) =>
        ROW_BYTES + RESUME_COPIES * sizeOf((await version(userId, id, number)).content),
    ),
    remove: grow(resumes.remove, nothing),
  }
}

export function limitTailoring(tailoring: Tailoring, storage: AgentStorage): Tailoring {
  const create = creating(storage, 'tailored resumes')
  const grow = growing(storage)
  const sizeOfVersion = (content: string): number => ROW_BYTES + TAILORED_COPIES * Buffer.byteLength(content)
  const { difference, list, knowsJob, nameOf, versions } = tailoring
  const { get, find, byCall, list: listVersions, add, readPdf } = versions
  return {
    difference,
    list,
    knowsJob,
    nameOf,
    tailor: create(tailoring.tailor, () => USUAL_TAILORED_BYTES),
    write: create(tailoring.write, (_, { content }) => sizeOfVersion(content)),
    edit: create(tailoring.edit, (_, _id, content) => sizeOfVersion(content)),
    restore: create(tailoring.restore, () => USUAL_TAILORED_BYTES),
    versions: {
      get,
      find,
      byCall,
      list: listVersions,
      add,
      readPdf,
      keepPdf: creating(storage, 'files of tailored resumes')(
        versions.keepPdf,
        (_, _id, { bytes }) => ROW_BYTES + bytes.byteLength,
      ),
      remove: grow(versions.remove, nothing),
    },
  }
}

export function limitSources(sources: Sources, storage: AgentStorage): Sources {
  const grow = growing(storage)
  const { list, get, changeable, due, lock, advance, unlock } = sources
  return {
    list,
    get,
    changeable,
    due,
    lock,
    advance,
    unlock,
    add: creating(storage, 'sources')(sources.add, (_, source) => ROW_BYTES + sizeOf(source)),
    change: grow(
      sources.change,
      async (userId, id, changes) =>
        sizeOf(changes) - sizeOf(onlyFieldsOf(await sources.get(userId, id), changes)),
    ),
    remove: grow(sources.remove, nothing),
  }
}

/** The fields that count, as `ROW_BYTES` does not cover them. */
const LONG_FIELDS = ['title', 'company', 'url', 'location', 'locations', 'tags', 'notes', 'contacts'] as const

/** By how much a posting's texts grow. */
function growthOf(posting: Posting, changes: Changes): number {
  const described =
    changes.description === undefined ? 0 : 2 * growth(changes.description, posting.jdMarkdown)
  const long = LONG_FIELDS.filter((field) => changes[field] !== undefined)
  const sum = long.reduce((all, field) => all + growth(changes[field], posting[field]), 0)
  return described + sum + (changesStanding(posting, changes) ? ROW_BYTES : 0)
}

/** A new status, or a part of one, is a row of the posting's history. */
function changesStanding({ status, subStatus }: Posting, to: Changes): boolean {
  return (to.status ?? status) !== status || (to.subStatus ?? subStatus) !== subStatus
}

function growth(after: unknown, before: unknown): number {
  return sizeOf(after ?? '') - sizeOf(before ?? '')
}

function onlyFieldsOf(of: object, like: object): object {
  return Object.fromEntries(Object.entries(of).filter(([name]) => Object.hasOwn(like, name)))
}

/** The bytes of a value as JSON. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
