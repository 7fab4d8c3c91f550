(** * No win by ply 41, if every first mark is held

    Ply 41 is his 21st mark; after the first one he has 20. The symmetries of the square take each first mark to one of
    fifteen ([roots]). Olivia's replies to these are data: [Leaves.v], which [verifier export coq] writes, checks them, and
    says that each of the fifteen is [held].

    Plan: the eight symmetries; the fifteen first marks; [no_win_by_41_from]. *)

From Coq Require Import List Bool Arith Lia Uint63 PArray.
Import ListNotations.
From U3T Require Import Rules Game Facts Race Fields Needs Coarse Replies.

(** ** Symmetries *)

Definition transposed (s : square) : square :=
  match s with S0 => S0 | S1 => S3 | S2 => S6 | S3 => S1 | S4 => S4 | S5 => S7 | S6 => S2 | S7 => S5 | S8 => S8 end.

Definition mirrored (s : square) : square :=
  match s with S0 => S2 | S1 => S1 | S2 => S0 | S3 => S5 | S4 => S4 | S5 => S3 | S6 => S8 | S7 => S7 | S8 => S6 end.

Ltac find_line := intros []; solve [
  exists Row0; now intros [] | exists Row1; now intros [] | exists Row2; now intros [] | exists Column0; now intros []
  | exists Column1; now intros [] | exists Column2; now intros [] | exists Falling; now intros []
  | exists Rising; now intros [] ].

Lemma identity_symmetry : symmetry (fun s => s) (fun s => s).
Proof. split; [easy | easy | intro l; now exists l]. Qed.

Lemma transposed_symmetry : symmetry transposed transposed.
Proof. split; [now intros [] | now intros [] | find_line]. Qed.

Lemma mirrored_symmetry : symmetry mirrored mirrored.
Proof. split; [now intros [] | now intros [] | find_line]. Qed.

Lemma symmetries_compose : forall to from to' from', symmetry to from -> symmetry to' from' ->
  symmetry (fun s => to (to' s)) (fun s => from' (from s)).
Proof.
  intros to from to' from' [A B C] [A' B' C']. split.
  - intro s. now rewrite A', A.
  - intro s. now rewrite B, B'.
  - intro l. destruct (C l) as [k K]. destruct (C' k) as [k' K']. exists k'. intro s. now rewrite K', K.
Qed.

(** ** First marks *)

Definition roots : list (square * square) :=
  [(S4, S4); (S0, S0); (S1, S1);
   (S0, S1); (S0, S2); (S0, S4); (S0, S5); (S0, S8);
   (S1, S0); (S1, S3); (S1, S4); (S1, S6); (S1, S7);
   (S4, S0); (S4, S1)].

Definition is_root (f s : square) : bool := existsb (fun m => same f (fst m) && same s (snd m)) roots.

Lemma is_root_spec : forall f s, is_root f s = true -> In (f, s) roots.
Proof.
  intros f s R. apply existsb_exists in R as ([g t] & I & E). apply andb_prop in E as [E E'].
  cbn [fst snd] in *. destruct (same_spec f g); [|easy]. destruct (same_spec s t); [now subst | easy].
Qed.

Lemma every_first_mark_is_a_root : forall f s, exists to from, symmetry to from /\ In (from f, from s) roots.
Proof.
  pose proof identity_symmetry as I. pose proof transposed_symmetry as T. pose proof mirrored_symmetry as M.
  pose proof (symmetries_compose _ _ _ _ T M) as TM. pose proof (symmetries_compose _ _ _ _ M T) as MT.
  pose proof (symmetries_compose _ _ _ _ TM T) as TMT. pose proof (symmetries_compose _ _ _ _ M TMT) as MTMT.
  pose proof (symmetries_compose _ _ _ _ T MTMT) as TMTMT.
  intros f s.
  assert (Some_ : existsb (fun from => is_root (from f) (from s))
    [fun s => s; transposed; mirrored; fun s => mirrored (transposed s); fun s => transposed (mirrored s);
     fun s => transposed (mirrored (transposed s)); fun s => transposed (mirrored (transposed (mirrored s)));
     fun s => transposed (mirrored (transposed (mirrored (transposed s))))] = true) by now destruct f, s.
  apply existsb_exists in Some_ as (from & F & R). apply is_root_spec in R.
  destruct F as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]]; cbv beta in R.
  - exact (ex_intro _ _ (ex_intro _ _ (conj I R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj T R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj M R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj TM R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj MT R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj TMT R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj MTMT R))).
  - exact (ex_intro _ _ (ex_intro _ _ (conj TMTMT R))).
Qed.

Lemma start_shown : forall to, shows to empty_race start.
Proof.
  intro to. split; [| easy |].
  - intros f s. now destruct (to f), (to s).
  - intros f H. now destruct (to f).
Qed.

Section Tables.
  Variable rows : array row.
  Variable totals : array int.
  Hypothesis rows_right : are_right rows = true.
  Hypothesis right_totals : totals_right totals = true.

  (** A table of her replies checks out for a list of first marks that has this one. *)
  Definition is_held (first : square * square) : Prop := exists firsts table,
    In first firsts /\ check rows totals 20 20 (map (root rows) firsts) table = true.

  Theorem no_win_by_41_if_held : (forall first, In first roots -> is_held first) -> no_win_by_41_statement.
  Proof.
    intros Held F. inversion F as [? W | ? [i j] _ I F' | ? T]; subst; [easy| |easy].
    pose proof (legal_field _ _ _ start_well_formed I) as Li. pose proof (legal_spot _ _ _ I) as Lj.
    destruct (square_of_number i Li) as [f <-]. destruct (square_of_number j Lj) as [s <-].
    destruct (every_first_mark_is_a_root f s) as (to & from & Sym & R).
    rewrite <- (to_from _ _ Sym f), <- (to_from _ _ Sym s) in I, F'.
    pose proof (shows_play to from Sym empty_race start _ _ start_well_formed (start_shown to) I) as Sh.
    destruct (Held _ R) as (firsts & table & In_ & Checked).
    refine (check_sound rows totals rows_right right_totals 20 20 _ _ eq_refl Checked (root rows (from f, from s))
              (after Xavier empty_race (from f) (from s)) (in_map _ _ _ In_) _ _).
    - now apply root_covers.
    - apply (forces_is_lost_race to from Sym 41 _ F' (play_well_formed _ _ start_well_formed I) _ 20 Sh); [easy|].
      rewrite (ply_play _ _ start_well_formed I). change (ply start) with 0. lia.
  Qed.
End Tables.

(** What [Leaves.v] shows of every first mark. *)
Definition held (first : square * square) : Prop := is_held all_rows all_totals first.

Theorem no_win_by_41_from : Forall held roots -> no_win_by_41_statement.
Proof.
  intro Held. rewrite Forall_forall in Held.
  exact (no_win_by_41_if_held all_rows all_totals all_rows_are_right all_totals_are_right Held).
Qed.
