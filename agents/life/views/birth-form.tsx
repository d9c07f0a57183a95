import type { ConsoleKit } from '@dragoman/console/view'
import { useRef, type FormEvent } from 'react'

import { BirthFields } from './birth-fields.tsx'
import { SaveBar } from './field.tsx'
import { translatorOf } from './translator.ts'
import type { ShownProfile } from './use-profile.ts'
import { placeName, useSave, type PlaceChoice } from './use-save.ts'

const PATH = '/life/profile/birth'
const FIELDS = new Set(['birthDate', 'birthTime', 'birthPlace', 'gender', 'calendar', 'trueSolarTime'])

type BirthFormProps = {
  readonly kit: ConsoleKit
  readonly language: string
  readonly profile: ShownProfile
}

/** When and where the user was born. The server reads it, and says next to a field what it cannot read. */
export function BirthForm({ kit, language, profile }: BirthFormProps) {
  const t = translatorOf(language)
  const formRef = useRef<HTMLFormElement>(null)
  const { save, isPending, isSaved, refusal, edit } = useSave(kit, language)
  const submit = async (): Promise<void> => {
    const form = formRef.current
    if (!form) return
    const refused = await save(PATH, { method: 'PUT', body: readForm(form) })
    const input = refused?.field === undefined ? undefined : form.elements.namedItem(refused.field)
    if (input instanceof HTMLElement) input.focus()
  }
  const choose = (place: PlaceChoice): void => {
    const input = formRef.current?.elements.namedItem('birthPlace')
    if (input instanceof HTMLInputElement) input.value = `${placeName(place)} (${place.coordinates})`
    void submit()
  }
  const isOfField = refusal?.field !== undefined && FIELDS.has(refusal.field)
  return (
    <form
      ref={formRef}
      className="life-fields"
      onInput={edit}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className="quiet">{t('birth.note')}</p>
      <BirthFields
        key={JSON.stringify(profile.birth)}
        language={language}
        birth={profile.birth}
        refusal={refusal}
        onChoosePlace={choose}
      />
      <SaveBar
        label={t('save')}
        isPending={isPending}
        status={isSaved ? t('saved') : undefined}
        problem={isOfField ? undefined : refusal?.message}
      >
        {profile.birth && (
          <button
            type="button"
            className="button danger"
            onClick={() => void save(PATH, { method: 'DELETE' })}
          >
            {t('birth.remove')}
          </button>
        )}
      </SaveBar>
    </form>
  )
}

function readForm(form: HTMLFormElement): Record<string, string> {
  const values = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  )
  const isChecked = (name: string): string => String(values[name] === 'on')
  return { ...values, trueSolarTime: isChecked('trueSolarTime'), applyDst: isChecked('applyDst') }
}
