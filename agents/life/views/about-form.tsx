import type { ConsoleKit } from '@dragoman/console/view'
import type { FormEvent } from 'react'

import { Field, SaveBar } from './field.tsx'
import { translatorOf } from './translator.ts'
import type { ShownProfile } from './use-profile.ts'
import { useSave } from './use-save.ts'

const MAX_NAME_LENGTH = 60
const TEXTS = [
  { field: 'focus', label: 'profile.focus', max: 500 },
  { field: 'told.context', label: 'profile.context', max: 2000 },
  { field: 'told.goals', label: 'profile.goals', max: 2000 },
  { field: 'told.concerns', label: 'profile.concerns', max: 2000 },
] as const

type AboutFormProps = {
  readonly kit: ConsoleKit
  readonly language: string
  readonly profile: ShownProfile
}

/** What the user says about themselves. An empty field removes what was there. */
export function AboutForm({ kit, language, profile }: AboutFormProps) {
  const t = translatorOf(language)
  const { save, isPending, isSaved, refusal, edit } = useSave(kit, language)
  const values = writtenTexts(profile)
  const errorOf = (field: string): string | undefined =>
    refusal?.field === field ? refusal.message : undefined
  const isOfField = [...TEXTS.map(({ field }) => field), 'displayName'].some(
    (field) => field === refusal?.field,
  )
  return (
    <form
      key={JSON.stringify([profile.displayName, values])}
      className="life-fields"
      onInput={edit}
      onSubmit={(event) => {
        event.preventDefault()
        void save('/life/profile', { method: 'PATCH', body: readChange(event) })
      }}
    >
      <p className="quiet">{t('profile.aboutNote')}</p>
      <Field label={t('profile.name')} hint={t('profile.nameHint')} error={errorOf('displayName')}>
        {(props) => (
          <input
            {...props}
            className="field"
            name="displayName"
            maxLength={MAX_NAME_LENGTH}
            autoComplete="nickname"
            defaultValue={profile.displayName}
          />
        )}
      </Field>
      {TEXTS.map(({ field, label, max }) => (
        <Field key={field} label={t(label)} error={errorOf(field)}>
          {(props) => (
            <textarea
              {...props}
              className="field"
              name={field}
              rows={2}
              maxLength={max}
              defaultValue={values[field]}
            />
          )}
        </Field>
      ))}
      <SaveBar
        label={t('save')}
        isPending={isPending}
        status={isSaved ? t('saved') : undefined}
        problem={isOfField ? undefined : refusal?.message}
      />
    </form>
  )
}

function writtenTexts({ focus, told: texts }: ShownProfile) {
  return {
    focus,
    'told.context': texts.context,
    'told.goals': texts.goals,
    'told.concerns': texts.concerns,
  }
}

function readChange({ currentTarget }: FormEvent<HTMLFormElement>): object {
  const form = new FormData(currentTarget)
  const textOf = (name: string): string | null => {
    const value = form.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value : null
  }
  return {
    displayName: textOf('displayName'),
    focus: textOf('focus'),
    told: {
      context: textOf('told.context'),
      goals: textOf('told.goals'),
      concerns: textOf('told.concerns'),
    },
  }
}
