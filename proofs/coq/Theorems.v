(** What is proved and what it rests on, as Coq prints it. The build compares this with [theorems.txt]. *)

From U3T Require Import Rules Game Facts Play Strategy Upper AtLeast29 Value.

Set Printing Width 110.

(** What [forces] is, and what it means by strategies. *)
Print forces.
Print reached.
Print names_moves.
Print wins_by.
Print holds_out.
Check forces_is_to_have_a_strategy. Print forces_is_to_have_a_strategy_statement.
Print Assumptions forces_is_to_have_a_strategy.
Check not_forces_is_to_hold_out. Print not_forces_is_to_hold_out_statement.
Print Assumptions not_forces_is_to_hold_out.

(** The upper bound. *)
Check at_most_43. Print at_most_43_statement. Print Assumptions at_most_43.
Check lemma_3. Print lemma_3_statement. Print Assumptions lemma_3.
Check needs_43. Print needs_43_statement. Print Assumptions needs_43.
Check corollary_1. Print corollary_1_statement. Print Assumptions corollary_1.
Check endgame_is_met. Print endgame_is_met_statement. Print Assumptions endgame_is_met.

(** The lower bound of the title. *)
Check at_least_29. Print at_least_29_statement. Print Assumptions at_least_29.
Check lemma_4. Print lemma_4_statement. Print Assumptions lemma_4.
Check lemma_5. Print lemma_5_statement. Print Assumptions lemma_5.
Check lbs_exists. Print lbs_exists_statement. Print Assumptions lbs_exists.
Print follows_lbs.
Print lbs_allows.

(** The value, from what is left to be proved. *)
Check value_43_from. Print value_43_statement. Print no_win_by_41_statement. Print Assumptions value_43_from.
Check value_43_by_strategies. Print Assumptions value_43_by_strategies.
Check optimal_from. Print optimal. Print Assumptions optimal_from.

(** Of the rules. *)
Check by_42_then_by_41. Print Assumptions by_42_then_by_41.
Check legal_moves_are. Print Assumptions legal_moves_are.
Check marks_stay. Print Assumptions marks_stay.
Check owners_stay. Print Assumptions owners_stay.
Check over_when_won_or_full. Print Assumptions over_when_won_or_full.
Check ply_play. Print Assumptions ply_play.
Check at_most_81_marks. Print Assumptions at_most_81_marks.
From U3T Require Import Symmetry.
Check forces_image. Print symmetry. Print image. Print Assumptions forces_image.
Check symmetries_are_symmetries. Print symmetries. Print Assumptions symmetries_are_symmetries.

(** What the data are needed for. *)
From U3T Require Import Lower FirstTwo.
Check no_win_by_41_from. Print held. Print is_held. Print doubles. Print no_doubles. Print pairs.
Print Assumptions no_win_by_41_from.
Check lemma_6_from. Print Assumptions lemma_6_from.
Check first_two_moves_from. Print first_two_moves_statement. Print first_two_moves_by.
Print third_marks. Print Assumptions first_two_moves_from.
Check first_two_moves_of_strategies. Print begins_with_a_double. Print Assumptions first_two_moves_of_strategies.
Check first_two_moves_of_optimal. Print Assumptions first_two_moves_of_optimal.
Check abstract_from. Print abstract_statement. Print Assumptions abstract_from.

(** Controls. *)
From U3T Require Import Controls.
Check won. Print after. Print Assumptions won.
Check not_won. Print Assumptions not_won.
Check vacuous. Print Assumptions vacuous.
