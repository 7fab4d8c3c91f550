(** * The value of the game is 43, and how a strategy that wins in time begins

    [Leaves.v] is not committed: [make coq] writes it from certificates, and it shows that beginnings are held.
    So this file is compiled only where the data are; the build compares what it prints with [headline.txt].

    Plan: the theorems, each from what is held; what they say and assume, printed. *)

From U3T Require Import Rules Game Facts Play Strategy Upper Value Lower FirstTwo Leaves.

Theorem no_win_by_41 : no_win_by_41_statement.
Proof. exact (no_win_by_41_from doubles_are_held no_doubles_are_held). Qed.

Theorem no_win_by_42 : no_win_by_42_statement.
Proof. exact (no_win_by_42_from no_win_by_41). Qed.

Theorem value_43 : value_43_statement.
Proof. exact (value_43_from no_win_by_41). Qed.

Theorem value_43_of_strategies : wins_by 43 xavier /\ (forall s, ~ wins_by 42 s) /\ exists s, holds_out 42 s.
Proof. exact (value_43_by_strategies value_43). Qed.

Theorem optimal_is_by_43 : forall s, optimal s <-> wins_by 43 s.
Proof. exact (optimal_from value_43). Qed.

Theorem first_two_moves : first_two_moves_statement.
Proof. exact (first_two_moves_from no_doubles_are_held third_marks_are_held). Qed.

Theorem optimal_first_two_moves : forall s, optimal s -> begins_with_a_double s.
Proof. exact (first_two_moves_of_optimal first_two_moves). Qed.

Theorem abstract : abstract_statement.
Proof. exact (abstract_from first_two_moves). Qed.

Set Printing Width 110.

Check value_43. Print value_43_statement. Print forces. Print Assumptions value_43.
Check no_win_by_41. Print no_win_by_41_statement. Print Assumptions no_win_by_41.
Check no_win_by_42. Print no_win_by_42_statement. Print Assumptions no_win_by_42.
Check value_43_of_strategies. Print Assumptions value_43_of_strategies.
Check optimal_is_by_43. Print optimal. Print Assumptions optimal_is_by_43.
Check first_two_moves. Print first_two_moves_statement. Print first_two_moves_by. Print Assumptions first_two_moves.
Check optimal_first_two_moves. Print begins_with_a_double. Print Assumptions optimal_first_two_moves.
Check abstract. Print abstract_statement. Print Assumptions abstract.
