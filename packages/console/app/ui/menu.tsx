import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'

const parts = () => import('./menu-parts.tsx')
const OpenMenu = lazy(() => parts().then(({ OpenMenu: part }) => ({ default: part })))
export const MenuItem = lazy(() => parts().then(({ MenuItem: part }) => ({ default: part })))
export const MenuDownload = lazy(() => parts().then(({ MenuDownload: part }) => ({ default: part })))
export const MenuChoice = lazy(() => parts().then(({ MenuChoice: part }) => ({ default: part })))
export const MenuSeparator = lazy(() => parts().then(({ MenuSeparator: part }) => ({ default: part })))

type TriggerProps = {
  readonly onClick?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly 'aria-haspopup'?: 'menu'
  readonly 'aria-expanded'?: boolean
}

export type MenuProps = {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<TriggerProps>
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** A menu. Its code is loaded when a menu is first opened. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const [wasOpened, setOpened] = useState(false)
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setOpened(true),
    onKeyDown: (event) => {
      if (event.key === 'ArrowDown') setOpened(true)
    },
  })
  if (!wasOpened) return button
  return (
    <Suspense fallback={button}>
      <OpenMenu trigger={trigger} align={align}>
        {children}
      </OpenMenu>
    </Suspense>
  )
}
