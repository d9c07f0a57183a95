import { useState } from 'react'

import type { FilePart, UserPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { MAX_FILES_BYTES, readFiles, sizeOf } from './attachments.ts'
import { useDraft } from './use-draft.ts'

/** A message that is being written: its text, its files, and what is wrong with it. */
export function useMessageDraft(
  threadId: string | undefined,
  onSend: (parts: readonly UserPart[]) => void | Promise<void>,
) {
  const { t } = useTranslate()
  const [text, setText] = useDraft(threadId)
  const [files, setFiles] = useState<readonly FilePart[]>([])
  const [problem, setProblem] = useState<string>()
  const isEmpty = text.trim() === '' && files.length === 0
  const addFiles = async (list: readonly File[]): Promise<void> => {
    const added = list.reduce((sum, { size }) => sum + size, 0)
    const isTooLarge = files.reduce((sum, file) => sum + sizeOf(file), added) > MAX_FILES_BYTES
    setProblem(isTooLarge ? t('attachment.tooLarge') : undefined)
    if (isTooLarge) return
    const parts = await readFiles(list)
    setFiles((before) => [...before, ...parts])
  }
  /** A message that cannot be sent comes back into the field. */
  const submit = async (): Promise<void> => {
    if (isEmpty) return
    const textParts = text.trim() === '' ? [] : [{ type: 'text', text } as const]
    setText('')
    setFiles([])
    setProblem(undefined)
    try {
      await onSend([...textParts, ...files])
    } catch (error) {
      setText(text)
      setFiles(files)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return {
    text,
    setText,
    files,
    addFiles: (list: readonly File[]) => void addFiles(list),
    removeFile: (file: FilePart) => setFiles(files.filter((each) => each !== file)),
    problem,
    isEmpty,
    submit: () => void submit(),
  }
}

export type MessageDraft = ReturnType<typeof useMessageDraft>
