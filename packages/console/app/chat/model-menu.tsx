import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

import { useModels } from '../api/queries.ts'
import type { Agent } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'

const ModelPicker = lazy(() =>
  import('./model-picker.tsx').then(({ ModelPicker: picker }) => ({ default: picker })),
)

type ModelMenuProps = {
  readonly agent: Agent
  /** The model that is chosen in place of the agent's own. */
  readonly chosen: string | null
  readonly onChoose: (model: string | null) => void
}

/** The model that answers, and the choice of another one. */
export function ModelMenu({ agent, chosen, onChoose }: ModelMenuProps) {
  const { t } = useTranslate()
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { data: models, error } = useModels(agent.id, isAsked || isOpen)
  const own = agent.model.demo ? t('model.demo') : fullName(agent.model.name)
  const name = chosen === null ? own : fullName(chosen)
  const listed = models?.map((model) => model.name) ?? []
  return (
    <>
      <button
        type="button"
        className="button small model"
        aria-label={t('model.current', { name })}
        aria-haspopup="dialog"
        title={agent.model.reason}
        onPointerEnter={() => setAsked(true)}
        onFocus={() => setAsked(true)}
        onClick={() => setOpen(true)}
      >
        <span className="ellipsis">{name}</span>
        <ChevronDown size={14} aria-hidden />
      </button>
      {isOpen && (
        <Suspense>
          <ModelPicker
            own={own}
            chosen={chosen}
            models={chosen === null || listed.includes(chosen) ? listed : [chosen, ...listed]}
            isLoading={models === undefined && !error}
            onChoose={onChoose}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** A model has one spelling: `provider/model`. */
function fullName(name: string): string {
  return name.replace(/^([\w.-]+):/, '$1/')
}
