import type { ConsoleKit } from '@dragoman/console/view'
import { useState } from 'react'

import { MAX_MEMORY_LENGTH } from '../src/memories/memory.ts'
import { Field, SaveBar } from './field.tsx'
import { translatorOf } from './translator.ts'
import { useSave } from './use-save.ts'

/** A field for something to remember. */
export function AddMemory({ kit, language }: { readonly kit: ConsoleKit; readonly language: string }) {
  const t = translatorOf(language)
  const [content, setContent] = useState('')
  const { save, isPending, isSaved, refusal, edit } = useSave(kit, language)
  const add = async (): Promise<void> => {
    const refused = await save('/life/memories', { body: { content } })
    if (!refused) setContent('')
  }
  return (
    <form
      className="life-fields"
      onSubmit={(event) => {
        event.preventDefault()
        if (content.trim() !== '') void add()
      }}
    >
      <Field label={t('memory.add')} error={refusal?.message}>
        {(props) => (
          <input
            {...props}
            className="field"
            placeholder={t('memory.addHint')}
            maxLength={MAX_MEMORY_LENGTH}
            value={content}
            onChange={({ target }) => {
              edit()
              setContent(target.value)
            }}
          />
        )}
      </Field>
      <SaveBar
        label={t('memory.addButton')}
        isPending={isPending}
        status={isSaved ? t('saved') : undefined}
        problem={undefined}
      />
    </form>
  )
}
