import { ChevronDown } from 'lucide-react'
import { useState } from 'react'

import { useChangeThread, useModels } from '../api/queries.ts'
import type { Agent, Thread } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { Menu, MenuChoice } from '../ui/menu.tsx'

const AGENTS_OWN = ''

type ModelMenuProps = { readonly agent: Agent; readonly thread: Thread | undefined }

/** The model that answers in a thread, and the choice of another one. */
export function ModelMenu({ agent, thread }: ModelMenuProps) {
  const { t } = useTranslate()
  const { mutate } = useChangeThread()
  const [isAsked, setAsked] = useState(false)
  const { data: models = [] } = useModels(agent.id, isAsked)
  const chosen = thread?.model ?? undefined
  const name = chosen ?? (agent.model.demo ? t('model.demo') : agent.model.name)
  const options = [
    {
      value: AGENTS_OWN,
      label: t('model.agentsOwn'),
      note: agent.model.demo ? t('model.demo') : agent.model.name,
    },
    ...models.map((model) => ({ value: model.name, label: model.name })),
    ...(chosen === undefined || models.some((model) => model.name === chosen)
      ? []
      : [{ value: chosen, label: chosen }]),
  ]
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="button small model"
          aria-label={t('model.current', { name })}
          title={agent.model.reason}
          onPointerEnter={() => setAsked(true)}
          onFocus={() => setAsked(true)}
        >
          <span className="ellipsis">{name}</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      <MenuChoice
        label={t('model.title')}
        value={chosen ?? AGENTS_OWN}
        options={options}
        onChoose={(value) => {
          if (thread) mutate({ id: thread.id, change: { model: value === AGENTS_OWN ? null : value } })
        }}
      />
    </Menu>
  )
}
