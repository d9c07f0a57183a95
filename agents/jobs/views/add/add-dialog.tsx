import { useState, type ReactNode } from 'react'

import { usePage, type TextKey } from '../page-context.ts'
import { Bookmarklet } from './bookmarklet.tsx'
import { CsvForm } from './csv-form.tsx'
import { LinkForm } from './link-form.tsx'
import { PageForm } from './page-form.tsx'
import { ReceivedPage } from './received-page.tsx'

export type AddFormProps = { readonly onAdd: (jobId: number) => void }

type Way = {
  readonly name: string
  readonly label: TextKey
  readonly form: (props: AddFormProps) => ReactNode
}

const WAYS: readonly Way[] = [
  { name: 'link', label: 'add.link', form: LinkForm },
  { name: 'page', label: 'add.page', form: PageForm },
  { name: 'csv', label: 'add.csv', form: CsvForm },
  { name: 'bookmarklet', label: 'add.bookmarklet', form: Bookmarklet },
]

type AddDialogProps = { readonly isReceiving: boolean; readonly onClose: () => void }

/** Adds postings: by a link, a page, a table, or from the browser's bookmarks. */
export default function AddDialog({ isReceiving, onClose }: AddDialogProps) {
  const { t, open, kit } = usePage()
  const { Dialog } = kit
  const [way, setWay] = useState(WAYS[0])
  const onAdd = (jobId: number): void => {
    onClose()
    open(`postings/${jobId}`)
  }
  const Form = way?.form ?? LinkForm
  return (
    <Dialog isOpen title={t('add.title')} onClose={onClose}>
      {isReceiving ? (
        <ReceivedPage onAdd={onAdd} />
      ) : (
        <div className="jobs-add">
          <div className="jobs-ways" role="group" aria-label={t('add.ways')}>
            {WAYS.map((each) => (
              <button
                key={each.name}
                type="button"
                className="button"
                aria-pressed={each === way}
                onClick={() => setWay(each)}
              >
                {t(each.label)}
              </button>
            ))}
          </div>
          <Form onAdd={onAdd} />
        </div>
      )}
    </Dialog>
  )
}
