(** What is proved of the check and what it rests on, as Coq prints it. The build compares this with [theorems.txt]. *)

From Coq Require Import List ZArith.
Import ListNotations.
From General Require Import Game Claim Check Sound Board Controls.

Set Printing Width 110.

(** What is claimed. *)
Print holds. Print meets. Print forces. Print keeps. Print comes_to. Print goes_on. Print allows. Print is_sound.
Print is_met. Print is_seen. Print is_at. Print choices.
Print legal. Print outcome_of. Print after. Print value.
Print board_rules. Print has_line. Print makes_line. Print is_free. Print number_of_marks.

(** What the check answers is so. *)
Check check_sound. Print Assumptions check_sound.
Check refute_sound. Print Assumptions refute_sound.
Check opponent_claim_refutes. Print Assumptions opponent_claim_refutes.

(** The controls. *)
Check what_formulas_say. Print Assumptions what_formulas_say.
Check moves_and_ends. Print Assumptions moves_and_ends.
Check won. Print Assumptions won.
Check not_won. Print Assumptions not_won.
Check vacuous. Print Assumptions vacuous.
Check plays_are_short. Print Assumptions plays_are_short.
Check led_to_a_win. Print Assumptions led_to_a_win.
Check not_sooner. Print Assumptions not_sooner.
Check to_the_horizon. Print Assumptions to_the_horizon.
Check eventually. Print Assumptions eventually.
Check not_the_start_again. Print Assumptions not_the_start_again.
Check never. Print Assumptions never.
Check not_eventually. Print Assumptions not_eventually.
Check marks_and_lines. Print Assumptions marks_and_lines.
