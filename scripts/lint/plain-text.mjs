const MAX_LINE_CHARACTERS = 120

/** A number in a specification that readers of this repository do not have, such as S3 followed by -16. */
const SPECIFICATION_NUMBER = /\b[A-Z]\d{1,2}-\d{1,3}\b/

/** Reports lines that are too wide, unless a link makes them so, and comments that cite a specification by number. */
export const plainText = {
  create(context) {
    return {
      Program() {
        const lines = context.sourceCode.text.split('\n')
        for (const [index, line] of lines.entries()) {
          if (line.length <= MAX_LINE_CHARACTERS || /https?:\/\//.test(line)) continue
          const message = `This line has ${line.length} characters. The maximum is ${MAX_LINE_CHARACTERS}.`
          const end = { line: index + 1, column: line.length }
          context.report({ loc: { start: { line: index + 1, column: 0 }, end }, message })
        }
        for (const comment of context.sourceCode.getAllComments()) {
          const [number] = SPECIFICATION_NUMBER.exec(comment.value) ?? []
          if (number)
            context.report({
              loc: comment.loc,
              message: `\`${number}\` names no document that readers have. Give the reason or a link.`,
            })
        }
      },
    }
  },
}
