import { ChevronDown } from 'lucide-react'

import { useTranslate, type MessageKey } from '../i18n/translate.tsx'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import type { BusyPolicy } from './outbox.ts'

const choices = {
  enqueue: { label: 'busy.enqueue', note: 'busy.enqueueNote' },
  steer: { label: 'busy.steer', note: 'busy.steerNote' },
  interrupt: { label: 'busy.interrupt', note: 'busy.interruptNote' },
} as const satisfies Partial<Record<BusyPolicy, { label: MessageKey; note: MessageKey }>>

type Choice = keyof typeof choices

type BusyChoiceProps = { readonly policy: BusyPolicy; readonly onChoose: (policy: BusyPolicy) => void }

/** What the message does to the answer that is being written. */
export function BusyChoice({ policy, onChoose }: BusyChoiceProps) {
  const { t } = useTranslate()
  const current: Choice = policy === 'reject' ? 'enqueue' : policy
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="button small"
          aria-label={`${t('busy.title')}: ${t(choices[current].label)}`}
        >
          {t(choices[current].label)}
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      <MenuChoice
        label={t('busy.title')}
        value={current}
        options={Object.entries(choices).map(([value, { label, note }]) => ({
          value,
          label: t(label),
          note: t(note),
        }))}
        onChoose={(value) => onChoose(value as Choice)}
      />
    </Menu>
  )
}
