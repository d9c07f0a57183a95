export { helpFor } from './help.ts'
export { countries, elsewhere, linesOf, type HelpLine } from './lines.ts'
export { crisisResources, crisisWords } from './resources.ts'
export { dangerIn, showsCrisis } from './signs.ts'
