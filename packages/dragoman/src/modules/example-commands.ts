/** Builds curl commands for `AgentModule.examples`. */
export function exampleCommands(origin: string): { post(path: string, body: object): string } {
  return {
    post: (path, body) =>
      `curl -N ${origin}${path} \\\n  -H 'content-type: application/json' \\\n  -d '${withSpaces(body)}'`,
  }
}

/** JSON with spaces, so that a narrow page wraps it between words. */
function withSpaces(body: object): string {
  return JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')
}
