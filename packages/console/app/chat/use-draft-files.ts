import { useEffect, useRef, useState } from 'react'

import { keepRecord, loadRecord, removeRecord } from '../api/local-records.ts'
import { useIsGuest } from '../api/queries.ts'
import type { FilePart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { attach, isStored } from './attachments.ts'

const TAB_KEY = 'dragoman.tab'
/** The server deletes files that no message shows after a day. */
const STORED_MS = 20 * 60 * 60 * 1000

type DraftFiles = { readonly files: readonly FilePart[]; readonly at: number }

/** The files of a draft, and what is wrong with one. They survive a reload of the tab. */
export function useDraftFiles(place: string) {
  const { t } = useTranslate()
  const isGuest = useIsGuest()
  const [files, setFiles] = useKeptFiles(place)
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(0)
  const attachFile = async (file: File): Promise<FilePart | undefined> => {
    try {
      if (file.size > 0) return await attach(file)
      setProblem(t('attachment.empty', { name: file.name }))
    } catch (error) {
      setProblem(t('attachment.failed', { name: file.name, reason: reasonOf(error) }))
    }
    return undefined
  }
  /** In the order in which they are given. */
  const addFiles = async (list: readonly File[]): Promise<void> => {
    setPending((count) => count + 1)
    const parts = await Promise.all(list.map(attachFile))
    setFiles((before) => [...before, ...parts.filter((part) => part !== undefined)])
    setPending((count) => count - 1)
  }
  return {
    files,
    setFiles,
    problem,
    isAttaching: pending > 0,
    add(list: readonly File[]) {
      setProblem(isGuest && list.length > 0 ? t('attachment.guest') : undefined)
      if (!isGuest) void addFiles(list)
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

type Change = (files: readonly FilePart[]) => readonly FilePart[]

function useKeptFiles(place: string): [files: readonly FilePart[], change: (change: Change) => void] {
  const [files, setFiles] = useState<readonly FilePart[]>([])
  const current = useRef(files)
  const name = `${tabId()}.${place}`
  const show = (next: readonly FilePart[]): void => {
    current.current = next
    setFiles(next)
  }
  useEffect(() => {
    void loadRecord<DraftFiles>('files', name).then((draft) => {
      const earlier =
        draft?.files.filter((file) => !isStored(file) || Date.now() - draft.at < STORED_MS) ?? []
      current.current = [...earlier, ...current.current]
      return setFiles(current.current)
    })
  }, [name])
  const change = (by: Change): void => {
    const next = by(current.current)
    show(next)
    const draft: DraftFiles = { files: next, at: Date.now() }
    void (next.length === 0 ? removeRecord('files', name) : keepRecord('files', name, draft))
  }
  return [files, change]
}

/** Each tab has its own drafts. */
function tabId(): string {
  const stored = sessionStorage.getItem(TAB_KEY)
  if (stored !== null) return stored
  const id = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('-')
  sessionStorage.setItem(TAB_KEY, id)
  return id
}
