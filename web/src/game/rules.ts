// Rules as the API is told them: a preset's name, or the TOML text of edited ones.

/** The game of links that name none. */
export const DEFAULT_RULES = 'yahtzee'

/** Whether it is a text and not a name: no name has a line break or an equals sign. */
export const isEdited = (rules: string) => /[\n=]/.test(rules)
