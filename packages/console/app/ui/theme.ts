const STORAGE_KEY = 'dragoman.theme'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Whether the page is dark, by the user's choice or that of the system. */
export function isDark(): boolean {
  const theme = storedTheme()
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
