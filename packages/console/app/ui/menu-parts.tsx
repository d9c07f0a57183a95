import * as DropdownMenu from '@radix-ui/react-dropdown-menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

import type { MenuProps } from './menu.tsx'
import { serverUrl } from '../api/server-url.ts'
import './menu.css'

/** A menu that is open at first. */
export function OpenMenu({ trigger, children, align = 'end' }: MenuProps) {
  return (
    <DropdownMenu.Root defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type MenuItemProps = {
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly isDangerous?: boolean
}

export function MenuItem({ icon, children, onSelect, isDangerous = false }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={isDangerous ? 'menu-item danger' : 'menu-item'} onSelect={onSelect}>
      {icon}
      <span>{children}</span>
    </DropdownMenu.Item>
  )
}

/** A link to a file of the server. */
export function MenuDownload({
  icon,
  children,
  href,
}: {
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly href: string
}) {
  return (
    <DropdownMenu.Item className="menu-item" asChild>
      <a href={serverUrl(href)} download>
        {icon}
        <span>{children}</span>
      </a>
    </DropdownMenu.Item>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly note?: string }[]
  readonly onChoose: (value: string) => void
}

/** Options of which one is chosen. */
export function MenuChoice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChoose} aria-label={label}>
      <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} className="menu-item" value={option.value}>
          <span className="menu-check">
            <DropdownMenu.ItemIndicator>
              <Check size={15} aria-hidden />
            </DropdownMenu.ItemIndicator>
          </span>
          <span>
            {option.label}
            {option.note !== undefined && <small className="quiet">{option.note}</small>}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu-separator" />
}
