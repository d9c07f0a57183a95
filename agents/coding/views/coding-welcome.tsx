import type { ConsoleKit, WelcomeProps } from '@dragoman/console/view'
import { CornerLeftUp, Folder, FolderOpen } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'

import css from './welcome.css?inline'
import { textsIn, type Translate } from './texts.ts'

const STORAGE_KEY = 'dragoman.coding.folder'

type FolderLink = { readonly name: string; readonly path: string }
type Folders = {
  readonly path: string | null
  readonly parent: string | null
  readonly folders: readonly FolderLink[]
  readonly truncated: boolean
}

/** Chooses the folder of a new conversation: the last choice, or else the first folder that is served. */
export default function CodingWelcome({ language, kit, setContext }: WelcomeProps) {
  const t = textsIn(language)
  const roots = kit.useJson<Folders>('/coding/folders')
  const [choice, setChoice] = useState(() => localStorage.getItem(STORAGE_KEY))
  const first = roots.data?.folders[0]?.path
  const candidate = choice ?? first
  const chosen = kit.useJson<Folders>(
    candidate === undefined || first === undefined ? undefined : pathOf(candidate),
  )
  // The last choice may be served no more.
  const isGone = chosen.error !== null && choice !== null
  const path = isGone ? undefined : candidate
  useEffect(() => {
    if (isGone) setChoice(null)
  }, [isGone])
  useEffect(() => {
    setContext(path === undefined || first === undefined ? undefined : { workspaceRoot: path })
  }, [path, first, setContext])
  const choose = (folder: string): void => {
    localStorage.setItem(STORAGE_KEY, folder)
    setChoice(folder)
  }
  const folders = roots.data?.folders ?? []
  return (
    <section className="coding-welcome" aria-label={t('folder.label')}>
      <style href="coding-welcome" precedence="low">
        {css}
      </style>
      {roots.data && folders.length === 0 && <NoFolder t={t} />}
      {roots.error && <p className="notice error">{roots.error.message}</p>}
      {path !== undefined && first !== undefined && (
        <FolderChoice path={path} roots={folders} level={chosen.data} {...{ kit, t, choose }} />
      )}
    </section>
  )
}

function pathOf(folder: string): string {
  return `/coding/folders?path=${encodeURIComponent(folder)}`
}

function NoFolder({ t }: { readonly t: Translate }) {
  return (
    <>
      <p>{t('folder.none')}</p>
      <pre tabIndex={0}>
        <code>dragoman --root ~/project</code>
      </pre>
    </>
  )
}

type ChoiceProps = {
  readonly kit: ConsoleKit
  readonly t: Translate
  readonly path: string
  readonly roots: readonly FolderLink[]
  /** The folder that was loaded last. */
  readonly level: Folders | undefined
  readonly choose: (path: string) => void
}

function FolderChoice({ t, path, roots, level, choose }: ChoiceProps) {
  const [isOpen, setIsOpen] = useState(roots.length > 1)
  return (
    <>
      <div className="coding-choice">
        <FolderOpen size={18} aria-hidden />
        <div>
          <small>{t('folder.label')}</small>
          <strong>{path}</strong>
        </div>
        <button type="button" className="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'folder.close' : 'folder.choose')}
        </button>
      </div>
      {isOpen && level && <Level level={level} {...{ t, roots, choose }} />}
    </>
  )
}

type LevelProps = Pick<ChoiceProps, 't' | 'roots' | 'choose'> & { readonly level: Folders }

/** The folders below the chosen one, the way up, and the other roots. A click chooses one. */
function Level({ t, roots, level, choose }: LevelProps) {
  const { path, parent, folders, truncated } = level
  const ref = useRef<HTMLDivElement>(null)
  const others = parent === null ? roots.filter((root) => root.path !== path) : []
  const onChoose = (folder: string): void => {
    choose(folder)
    // The button is gone once the next level is there.
    ref.current?.focus()
  }
  return (
    <div className="coding-level" ref={ref} tabIndex={-1} role="group" aria-label={t('folder.list')}>
      <h3>{t('folder.below', { name: nameOf(path ?? '') })}</h3>
      <ul>
        {parent !== null && (
          <FolderButton path={parent} label={t('folder.up', { name: nameOf(parent) })} onChoose={onChoose}>
            <CornerLeftUp size={16} aria-hidden />
          </FolderButton>
        )}
        {folders.map((folder) => (
          <FolderButton key={folder.path} path={folder.path} label={folder.name} onChoose={onChoose}>
            <Folder size={16} aria-hidden />
          </FolderButton>
        ))}
      </ul>
      {folders.length === 0 && <p>{t('folder.empty')}</p>}
      {truncated && <p>{t('folder.more', { count: folders.length })}</p>}
      {others.length > 0 && (
        <>
          <h3>{t('folder.roots')}</h3>
          <ul>
            {others.map((root) => (
              <FolderButton key={root.path} path={root.path} label={root.path} onChoose={onChoose}>
                <Folder size={16} aria-hidden />
              </FolderButton>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

type FolderButtonProps = {
  readonly path: string
  readonly label: string
  readonly onChoose: (path: string) => void
  readonly children: ReactNode
}

function FolderButton({ path, label, onChoose, children }: FolderButtonProps) {
  return (
    <li>
      <button type="button" onClick={() => onChoose(path)}>
        {children}
        <span>{label}</span>
      </button>
    </li>
  )
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path
}
