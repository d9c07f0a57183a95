import type { ConsoleKit } from '@dragoman/console/view'

import { AddMemory } from './add-memory.tsx'
import { translatorOf } from './translator.ts'
import { useSave } from './use-save.ts'

type MemorySwitchProps = { readonly kit: ConsoleKit; readonly language: string; readonly isOn: boolean }

/** Turns memory on and off. While it is on, something can be added. */
export function MemorySwitch({ kit, language, isOn }: MemorySwitchProps) {
  const t = translatorOf(language)
  const { save, refusal } = useSave(kit, language)
  const change = (memory: boolean): void =>
    void save('/life/profile', { method: 'PATCH', body: { preferences: { memory } } })
  return (
    <section className="life-card">
      <label className="life-check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => change(target.checked)} />
        <span>
          <strong>{t('memory.on')}</strong>
          <small className="quiet">{t('memory.onNote')}</small>
        </span>
      </label>
      {refusal && (
        <p className="notice error" role="alert">
          {refusal.message}
        </p>
      )}
      {isOn && <AddMemory kit={kit} language={language} />}
    </section>
  )
}
