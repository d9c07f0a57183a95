import type { AgentStorage } from 'dragoman/agents'
import type { Postings } from './postings/postings.ts'
import type { Resumes } from './resumes/resumes.ts'
import type { Sources } from './sources/sources.ts'
import type { Tailoring } from './tailoring/tailoring.ts'

/** An action of a user that changes what is stored. */
type Action<Arguments extends readonly unknown[], Result> = (
  userId: string,
  ...rest: Arguments
) => Promise<Result>

/** Asks before each call whether its user may create so many entries. */
function creating({ mayCreate }: AgentStorage, what: string, count?: number) {
  return <Arguments extends readonly unknown[], Result>(act: Action<Arguments, Result>) =>
    async (userId: string, ...rest: Arguments): Promise<Result> => {
      await mayCreate(userId, what, count)
      return act(userId, ...rest)
    }
}

/** Tells after each call that its user stores something else. */
function changing({ changed }: AgentStorage) {
  return <Arguments extends readonly unknown[], Result>(act: Action<Arguments, Result>) =>
    async (userId: string, ...rest: Arguments): Promise<Result> => {
      const result = await act(userId, ...rest)
      changed(userId)
      return result
    }
}

/** `count`: 0 for work in the background, which may bring many postings at once. */
export function limitPostings(postings: Postings, storage: AgentStorage, count?: 0): Postings {
  const create = creating(storage, 'postings', count)
  const change = changing(storage)
  return {
    ...postings,
    create: create(postings.create),
    ingest: create(postings.ingest),
    keep: create(postings.keep),
    touch: creating(storage, 'contacts')(postings.touch),
    change: change(postings.change),
    remove: change(postings.remove),
  }
}

export function limitResumes(resumes: Resumes, storage: AgentStorage): Resumes {
  const create = creating(storage, 'resumes')
  return {
    ...resumes,
    create: create(resumes.create),
    update: create(resumes.update),
    restore: create(resumes.restore),
    remove: changing(storage)(resumes.remove),
  }
}

export function limitTailoring(tailoring: Tailoring, storage: AgentStorage): Tailoring {
  const create = creating(storage, 'tailored resumes')
  return {
    ...tailoring,
    tailor: create(tailoring.tailor),
    write: create(tailoring.write),
    edit: create(tailoring.edit),
    restore: create(tailoring.restore),
    versions: { ...tailoring.versions, remove: changing(storage)(tailoring.versions.remove) },
  }
}

export function limitSources(sources: Sources, storage: AgentStorage): Sources {
  return { ...sources, add: creating(storage, 'sources')(sources.add) }
}
