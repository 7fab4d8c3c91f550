(** What is proved and what it rests on, as Coq prints it. The build compares this with [theorems.txt]. *)

From U3T Require Import Rules Game Facts Strategy Upper.

Set Printing Width 110.

(** The notions that the theorems are about. *)
Print forces.
Print reached.
Print wins_by.

(** The upper bound. *)
Check at_most_43. Print at_most_43_statement. Print Assumptions at_most_43.
Check lemma_3. Print lemma_3_statement. Print Assumptions lemma_3.
Check needs_43. Print needs_43_statement. Print Assumptions needs_43.
Check corollary_1. Print corollary_1_statement. Print Assumptions corollary_1.

(** Of the rules. *)
Check by_42_then_by_41. Print Assumptions by_42_then_by_41.
Check legal_moves_are. Print Assumptions legal_moves_are.
Check marks_stay. Print Assumptions marks_stay.
Check owners_stay. Print Assumptions owners_stay.
Check over_when_won_or_full. Print Assumptions over_when_won_or_full.
Check at_most_81_marks. Print Assumptions at_most_81_marks.
