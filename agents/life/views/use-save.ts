import type { ConsoleKit, RequestOptions } from '@dragoman/console/view'
import { useRef, useState } from 'react'

/** A place that an ambiguous name may mean. */
export type PlaceChoice = {
  readonly name: string
  readonly admin?: string
  readonly country?: string
  readonly coordinates: string
}

export function placeName({ name, admin, country }: PlaceChoice): string {
  return [name, admin, country].filter((each) => each !== undefined).join(', ')
}

/** Why the server refused something, and what is wrong. */
export type Refusal = {
  readonly message: string
  readonly field?: string
  readonly places?: readonly PlaceChoice[]
}

/** All that depends on what the agent keeps of its user. */
const PATHS = ['/life', '/api/fortune']

/** Sends changes one after the other, in the language of the page, and loads again what depends on them. */
export function useSave(kit: ConsoleKit, language: string) {
  const [isPending, setPending] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const lastRef = useRef<{ readonly change: string; readonly outcome: Promise<Refusal | undefined> }>(
    undefined,
  )
  /** The page goes on showing that the change before was refused. */
  const send = async (path: string, options: RequestOptions, refusalBefore: Refusal | undefined) => {
    try {
      await kit.request(path, { ...options, headers: { 'accept-language': language } })
      setRefusal(refusalBefore)
      await Promise.all(PATHS.map((each) => kit.refresh(each)))
      setSaved(true)
      return undefined
    } catch (error) {
      const refused = readRefusal(error)
      setRefusal(refused)
      return refused
    }
  }
  /** Resolves to the refusal, if there is one. Inputs stay enabled, for a disabled one would lose the focus. */
  const save = async (path: string, options: RequestOptions): Promise<Refusal | undefined> => {
    const change = JSON.stringify([path, options.method, options.body])
    const before = lastRef.current
    // A second click sends nothing.
    if (before?.change === change) return undefined
    setPending(true)
    setSaved(false)
    const outcome = Promise.resolve(before?.outcome).then((refusalBefore) =>
      send(path, options, refusalBefore),
    )
    const last = { change, outcome }
    lastRef.current = last
    const refused = await outcome
    if (lastRef.current === last) {
      lastRef.current = undefined
      setPending(false)
    }
    return refused
  }
  return { save, isPending, isSaved, refusal, edit: () => setSaved(false) }
}

function readRefusal(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error)
  const details = error instanceof Error && 'details' in error ? (error.details as Partial<Refusal>) : {}
  // Next to its field, the sentence need not name it.
  const text = details.field === undefined ? message : message.replace(/^[^:：]{1,30}[:：]\s*/, '')
  return { ...details, message: text }
}
