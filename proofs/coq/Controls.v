(** * Controls: a game that is won, one that is not, and a statement that is vacuous

    Who follows the moves on paper sees whether [forces] says what it should. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game AtLeast29.

Definition after (moves : list spot) : position := fold_left play moves start.

(** Sixteen moves of each. Xavier owns fields 1 and 7; field 4 is active, where he has spots 6 and 7. His mark on spot 8
    wins that field, and with it the line 1, 4, 7. *)
Definition almost_won : list spot :=
  [(7, 0); (0, 2); (2, 3); (3, 2); (2, 2); (2, 5); (5, 0); (0, 8); (8, 0); (0, 1); (1, 3); (3, 7); (7, 7); (7, 1); (1, 4);
   (4, 1); (1, 5); (5, 7); (7, 4); (4, 5); (5, 6); (6, 4); (4, 7); (7, 3); (3, 8); (8, 7); (7, 8); (8, 4); (4, 6); (6, 1);
   (1, 0); (0, 4)].

Theorem won : forces 33 (after almost_won).
Proof.
  apply (by_his_move 33 _ (4, 8)).
  - reflexivity.
  - vm_compute. tauto.
  - apply has_won_in_time; [vm_compute; reflexivity | vm_compute; lia].
Qed.

(** Thirty-six moves. Olivia owns fields 0, 4 and 8, and has won; Xavier forces nothing more, however late. *)
Definition lost : list spot :=
  [(1, 4); (4, 4); (4, 6); (6, 8); (8, 8); (8, 4); (4, 8); (8, 5); (5, 4); (4, 3); (3, 4); (4, 2); (2, 8); (8, 7); (7, 4);
   (4, 5); (5, 1); (1, 5); (5, 8); (8, 3); (3, 5); (5, 6); (6, 2); (2, 7); (7, 5); (5, 0); (0, 6); (6, 6); (6, 0); (0, 8);
   (8, 1); (1, 0); (0, 0); (0, 2); (2, 0); (0, 5)].

Theorem not_won : forall n, ~ forces n (after lost).
Proof.
  intros n F. inversion F as [p W L E | p m T I G E | p T N A E]; subst.
  - vm_compute in W. discriminate.
  - vm_compute in I. exact I.
  - vm_compute in N. now apply N.
Qed.

(** Vacuous: "if a first move forces a win by ply 28, it is the centre of the centre". No first move does. *)
Theorem vacuous : forall m, In m (legal_moves start) -> forces 28 (play start m) -> m = (4, 4).
Proof.
  intros m I F. exfalso. pose proof (at_least_29 28 (by_his_move 28 start m eq_refl I F)). lia.
Qed.
