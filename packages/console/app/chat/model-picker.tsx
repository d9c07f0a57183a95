import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'

import { useTranslate } from '../i18n/translate.tsx'
import '../layout/command-palette.css'
import { Dialog } from '../ui/dialog.tsx'

/** More are found by a search. */
const MAX_SHOWN = 100

type ModelPickerProps = {
  readonly own: string
  readonly chosen: string | null
  readonly models: readonly string[]
  readonly isLoading: boolean
  readonly onChoose: (model: string | null) => void
  readonly onClose: () => void
}

/** All models that can be chosen, with a search. */
export function ModelPicker({ own, chosen, models, isLoading, onChoose, onClose }: ModelPickerProps) {
  const { t } = useTranslate()
  const [words, setWords] = useState('')
  const query = useDeferredValue(words.trim().toLowerCase())
  const parts = query.split(/\s+/)
  const found = models.filter((name) => parts.every((part) => name.toLowerCase().includes(part)))
  const choose = (model: string | null) => (): void => {
    onChoose(model)
    onClose()
  }
  return (
    <Dialog isOpen title={t('model.title')} onClose={onClose}>
      <Command shouldFilter={false} label={t('model.title')}>
        <Command.Input
          className="field"
          placeholder={t('model.search')}
          value={words}
          onValueChange={setWords}
          autoFocus
        />
        <Command.List className="palette-list">
          {query === '' && (
            <Command.Item value=" own" onSelect={choose(null)}>
              {t('model.agentsOwn')} <span className="quiet">{own}</span>
              {chosen === null && <Check size={16} aria-label={t('model.chosen')} />}
            </Command.Item>
          )}
          {found.slice(0, MAX_SHOWN).map((name) => (
            <Command.Item key={name} value={name} onSelect={choose(name)}>
              {name}
              {chosen === name && <Check size={16} aria-label={t('model.chosen')} />}
            </Command.Item>
          ))}
          {found.length > MAX_SHOWN && (
            <p className="quiet palette-empty">{t('model.more', { count: found.length - MAX_SHOWN })}</p>
          )}
          {found.length === 0 && (
            <p className="quiet palette-empty" role="status">
              {t(isLoading ? 'model.loading' : 'model.none')}
            </p>
          )}
        </Command.List>
      </Command>
      <p>
        <Link href="/console/models">{t('models.connect')}</Link>
      </p>
    </Dialog>
  )
}
