(** * The value of the game is 43

    [Leaves.v] is not committed: [verifier export coq] writes it from the certificate of Theorem 1, and it shows that there
    is no win by ply 41. So this file is compiled only where the data are; the build compares what it prints with
    [headline.txt].

    Plan: the theorems, each from [no_win_by_41]; what they say and assume, printed. *)

From U3T Require Import Rules Game Facts Play Strategy Upper Value Leaves.

Theorem no_win_by_42 : no_win_by_42_statement.
Proof. exact (no_win_by_42_from no_win_by_41). Qed.

Theorem value_43 : value_43_statement.
Proof. exact (value_43_from no_win_by_41). Qed.

Theorem value_43_of_strategies : wins_by 43 xavier /\ (forall s, ~ wins_by 42 s) /\ exists s, holds_out 42 s.
Proof. exact (value_43_by_strategies value_43). Qed.

Set Printing Width 110.

Check value_43. Print value_43_statement. Print forces. Print Assumptions value_43.
Check no_win_by_41. Print no_win_by_41_statement. Print Assumptions no_win_by_41.
Check no_win_by_42. Print no_win_by_42_statement. Print Assumptions no_win_by_42.
Check value_43_of_strategies. Print Assumptions value_43_of_strategies.
