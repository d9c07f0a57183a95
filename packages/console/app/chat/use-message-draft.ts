import { useState } from 'react'

import type { FilePart, UserPart } from '../api/types.ts'
import { useDraft } from './use-draft.ts'
import { useDraftFiles } from './use-draft-files.ts'

/** A message that is being written: its text, its files, and what is wrong with it. */
export function useMessageDraft(
  threadId: string | undefined,
  onSend: (parts: readonly UserPart[]) => void | Promise<void>,
) {
  const [text, setText] = useDraft(threadId ?? 'new')
  const { files, setFiles, add, isAttaching, problem: fileProblem } = useDraftFiles(threadId ?? 'new')
  const [problem, setProblem] = useState<string>()
  const isEmpty = text.trim() === '' && files.length === 0
  /** A message that cannot be sent comes back into the field. */
  const submit = async (): Promise<void> => {
    if (isEmpty || isAttaching) return
    const textParts = text.trim() === '' ? [] : [{ type: 'text', text } as const]
    setText('')
    setFiles(() => [])
    setProblem(undefined)
    try {
      await onSend([...textParts, ...files])
    } catch (error) {
      setText(text)
      setFiles(() => files)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return {
    text,
    setText,
    files,
    addFiles(list: readonly File[]) {
      setProblem(undefined)
      add(list)
    },
    removeFile: (file: FilePart) => setFiles((before) => before.filter((each) => each !== file)),
    problem: problem ?? fileProblem,
    isEmpty,
    isAttaching,
    submit: () => void submit(),
  }
}

export type MessageDraft = ReturnType<typeof useMessageDraft>
