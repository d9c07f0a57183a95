const known = new Map<string, boolean>()

/** Whether a package is installed. It is looked up once in each process. */
export function isInstalled(name: string): boolean {
  const answer = known.get(name) ?? canResolve(name)
  known.set(name, answer)
  return answer
}

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch (error) {
    // Where a bundler has taken this call away, only loading the package can tell.
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
  }
}

/** What is said of a model whose package is not installed: it follows the model's name, and ends with the command. */
export function packageHint(name: string): string {
  return `needs the package ${name}. Run: npm install ${name}`
}
