(** * The value of the game is 43, if Xavier cannot force a win by ply 41

    Plan: the value from that one statement, which is the other half; what the value means by strategies. *)

From Coq Require Import Lia.
From U3T Require Import Rules Game Facts Play Strategy Upper.

Theorem no_win_by_42_from : no_win_by_41_statement -> no_win_by_42_statement.
Proof. intros No F. apply No, by_42_then_by_41, F. Qed.

Theorem value_43_from : no_win_by_41_statement -> value_43_statement.
Proof.
  intros No n. split; intro H.
  - destruct (Compare_dec.le_lt_dec 43 n) as [L|L]; [exact L|exfalso].
    apply (no_win_by_42_from No). apply forces_monotone with n; [lia | exact H].
  - apply forces_monotone with 43; [exact H | exact at_most_43].
Qed.

(** The strategy of §2 wins by ply 43; none wins by ply 42; and one of Olivia's holds out beyond it. *)
Theorem value_43_by_strategies : value_43_statement ->
  wins_by 43 xavier /\ (forall s, ~ wins_by 42 s) /\ exists s, holds_out 42 s.
Proof.
  intro V. assert (No : ~ forces 42 start) by (intro F; apply V in F; lia). split; [exact lemma_3|]. split.
  - intros s W. exact (No (wins_by_forces 42 s W)).
  - now apply not_forces_is_to_hold_out.
Qed.

(** So the strategy of §2 is optimal, and so is every other one that wins by ply 43. *)
Theorem optimal_from : value_43_statement -> forall s, optimal s <-> wins_by 43 s.
Proof.
  intros V s. split.
  - intros (n & W & Least). apply wins_by_monotone with n; [exact (Least 43 xavier lemma_3) | exact W].
  - intro W. exists 43. split; [exact W|]. intros k t W'. apply V. now apply wins_by_forces with t.
Qed.
