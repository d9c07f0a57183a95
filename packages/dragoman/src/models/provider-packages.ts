const installations = new Map<string, boolean>()

/** Whether a package is installed. It is looked up once in each process. */
export function isInstalled(name: string): boolean {
  const answer = installations.get(name) ?? canResolve(name)
  installations.set(name, answer)
  return answer
}

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch (error) {
    // A bundler may have replaced this call. Then only loading the package shows whether it exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
  }
}

/** The problem of something whose package is not installed. It follows its name. */
export function packageHint(name: string): string {
  return `needs the package ${name}. Run: npm install ${name}`
}
