import { said } from '../text/language.ts';

/** Names of the journal's sections for people; where one is shown it is translated. */
export const SECTION_NAMES = {
  objective: said('Objective'),
  current_state: said('Current state'),
  verified_findings: said('Verified findings'),
  decisions: said('Decisions'),
  artifacts: said('Artifacts'),
  open_questions: said('Open questions'),
  blockers: said('Blockers'),
  handoff_next_action: said('Next action'),
} as const;
