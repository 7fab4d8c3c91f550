(** * Plays of a strategy, and what [forces] means by them

    [forces n start] of [Game.v] is short, and says nothing of strategies. Here it is shown to say just what one expects:
    Xavier has a strategy that wins by ply [n] if it holds ([forces_is_to_have_a_strategy]), and Olivia has one that
    holds out beyond ply [n] if it does not ([not_forces_is_to_hold_out]).

    Plan: strategies and their plays; the two theorems' statements; a test that decides [forces], far too slow to be run;
    the strategies that follow it. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts.

(** ** Strategies *)

Definition strategy : Type := position -> spot.

(** The positions that come up where [who] follows [s], and the other player may do anything. *)
Inductive reached (who : player) (s : strategy) : position -> Prop :=
| at_the_start : reached who s start
| by_a_move p m :
    reached who s p -> In m (legal_moves p) -> (turn p = who -> m = s p) -> reached who s (play p m).

(** Where it is the player's turn and the game goes on, the strategy names a legal move. *)
Definition names_moves (who : player) (s : strategy) : Prop :=
  forall p, reached who s p -> turn p = who -> legal_moves p <> [] -> In (s p) (legal_moves p).

(** No play in which Xavier follows [s] goes beyond ply [n], and whenever one ends, he has won. *)
Definition wins_by (n : nat) (s : strategy) : Prop :=
  names_moves Xavier s /\
  forall p, reached Xavier s p -> ply p <= n /\ (legal_moves p = [] -> has_won Xavier p = true).

(** One that wins by the least ply by which any strategy wins. *)
Definition optimal (s : strategy) : Prop := exists n, wins_by n s /\ forall k t, wins_by k t -> n <= k.

(** In no play in which Olivia follows [s] Xavier has won by ply [n]. *)
Definition holds_out (n : nat) (s : strategy) : Prop :=
  names_moves Olivia s /\
  forall p, reached Olivia s p -> ply p <= n -> has_won Xavier p = false.

Definition forces_is_to_have_a_strategy_statement : Prop := forall n, forces n start <-> exists s, wins_by n s.
Definition not_forces_is_to_hold_out_statement : Prop := forall n, ~ forces n start <-> exists s, holds_out n s.

(** ** From strategies to [forces] *)

Lemma reached_well_formed : forall who s p, reached who s p -> well_formed p.
Proof. intros who s p R. induction R; [apply start_well_formed | now apply play_well_formed]. Qed.

Lemma reached_ply : forall who s p m, reached who s p -> In m (legal_moves p) -> ply (play p m) = S (ply p).
Proof. intros who s p m R. apply ply_play. eapply reached_well_formed; eauto. Qed.

Lemma wins_by_monotone : forall n k s, n <= k -> wins_by n s -> wins_by k s.
Proof. intros n k s Le [Names Wins]. split; [exact Names|]. intros p R. destruct (Wins p R). split; [lia|easy]. Qed.

Lemma moves_come_before_ply : forall n s p,
  wins_by n s -> reached Xavier s p -> legal_moves p <> [] -> ply p < n.
Proof.
  intros n s p [Names Wins] R some.
  assert (M : exists m, In m (legal_moves p) /\ (turn p = Xavier -> m = s p)).
  { destruct (turn p) eqn:T; [exists (s p); auto|].
    destruct (legal_moves p) as [|m l]; [easy|]. exists m. split; [now left | easy]. }
  destruct M as (m & I & Named). destruct (Wins _ (by_a_move _ _ _ _ R I Named)) as [L _].
  now rewrite (reached_ply _ _ _ _ R I) in L.
Qed.

Theorem wins_by_forces_from : forall n s q, wins_by n s -> reached Xavier s q -> forces n q.
Proof.
  intros n s q W.
  assert (from : forall k p, n - ply p < k -> reached Xavier s p -> forces n p).
  { induction k as [|k IH]; intros p Far R; [lia|].
    assert (D : legal_moves p = [] \/ legal_moves p <> []) by (destruct (legal_moves p); [now left | now right]).
    destruct D as [none|some].
    - destruct W as [_ Wins]. destruct (Wins p R) as [L Won]. apply has_won_in_time; auto.
    - pose proof (moves_come_before_ply n s p W R some) as Early.
      assert (later : forall m, In m (legal_moves p) -> (turn p = Xavier -> m = s p) -> forces n (play p m)).
      { intros m I Named. apply IH; [rewrite (reached_ply _ _ _ _ R I); lia | now apply by_a_move]. }
      destruct (turn p) eqn:T.
      + assert (I : In (s p) (legal_moves p)) by (destruct W; auto). apply (by_his_move n p (s p)); auto.
      + apply by_all_her_moves; [exact T | exact some|]. intros m I. now apply later. }
  apply (from (S n)). lia.
Qed.

Corollary wins_by_forces : forall n s, wins_by n s -> forces n start.
Proof. intros n s W. exact (wins_by_forces_from n s start W (at_the_start _ _)). Qed.

Theorem holds_out_prevents : forall n s, holds_out n s -> ~ forces n start.
Proof.
  intros n s [Names Out].
  assert (from : forall p, forces n p -> reached Olivia s p -> False).
  { intros p F. induction F as [p Won L | p m T I _ IH | p T N _ IH]; intro R.
    - now rewrite (Out p R L) in Won.
    - apply IH, by_a_move; [exact R | exact I | now rewrite T].
    - pose proof (Names p R T N) as I. apply (IH (s p) I), by_a_move; auto. }
  intro F. exact (from start F (at_the_start _ _)).
Qed.

(** ** A test that decides [forces] *)

(** [k] is how many plies it looks ahead at most. *)
Fixpoint decide (k n : nat) (p : position) : bool :=
  has_won Xavier p && (ply p <=? n) ||
  match k with
  | 0 => false
  | S k =>
      match turn p with
      | Xavier => existsb (fun m => decide k n (play p m)) (legal_moves p)
      | Olivia => negb (is_over p) && forallb (fun m => decide k n (play p m)) (legal_moves p)
      end
  end.

Lemma decide_sound : forall k n p, decide k n p = true -> forces n p.
Proof.
  induction k as [|k IH]; intros n p D; simpl in D; apply orb_true_iff in D as [D|D]; try easy.
  1, 2: apply andb_true_iff in D as [Won L]; apply has_won_in_time; [exact Won | now apply Nat.leb_le].
  destruct (turn p) eqn:T.
  - apply existsb_exists in D as (m & I & D). exact (by_his_move n p m T I (IH _ _ D)).
  - apply andb_true_iff in D as [Moves D]. rewrite forallb_forall in D. apply by_all_her_moves; [exact T | |auto].
    intro none. unfold is_over in Moves. now rewrite none in Moves.
Qed.

Lemma decide_complete : forall n p, well_formed p -> forces n p -> forall k, n - ply p <= k -> decide k n p = true.
Proof.
  intros n p W F. induction F as [p Won L | p m T I F IH | p T N F IH]; intros k Far.
  - apply Nat.leb_le in L. destruct k; simpl; now rewrite Won, L.
  - pose proof (play_well_formed p m W I) as W'. pose proof (forces_ply n _ W' F) as L. rewrite ply_play in * by easy.
    destruct k as [|k]; [lia|]. simpl. rewrite T. apply orb_true_iff. right.
    apply existsb_exists. exists m. split; [exact I|]. apply IH; [exact W'|lia].
  - destruct (legal_moves p) as [|first rest] eqn:Moves; [easy|]. rewrite <- Moves in *.
    assert (I : In first (legal_moves p)) by (rewrite Moves; now left).
    pose proof (forces_ply n _ (play_well_formed p first W I) (F first I)) as L. rewrite ply_play in L by easy.
    destruct k as [|k]; [lia|]. simpl. rewrite T. apply orb_true_iff. right. apply andb_true_iff. split.
    + unfold is_over. now rewrite Moves.
    + apply forallb_forall. intros m Im. apply IH; [exact Im | now apply play_well_formed|].
      rewrite ply_play by easy. lia.
Qed.

Definition decides (n : nat) (p : position) : bool := decide n n p.

Lemma decides_forces : forall n p, well_formed p -> decides n p = true <-> forces n p.
Proof. intros n p W. split; [apply decide_sound | intro F; apply decide_complete; auto; lia]. Qed.

(** ** From [forces] to strategies: the first move after which the test says what one wishes *)

Definition first_with (wanted : position -> bool) (p : position) : spot :=
  match find (fun m => wanted (play p m)) (legal_moves p) with
  | Some m => m
  | None => nth 0 (legal_moves p) (9, 9)
  end.

Lemma first_with_in : forall wanted p, legal_moves p <> [] -> In (first_with wanted p) (legal_moves p).
Proof.
  intros wanted p N. unfold first_with. destruct (find _ _) as [m|] eqn:F; [now apply find_some in F|].
  destruct (legal_moves p); [easy | now left].
Qed.

Lemma first_with_wanted : forall wanted p m,
  In m (legal_moves p) -> wanted (play p m) = true -> wanted (play p (first_with wanted p)) = true.
Proof.
  intros wanted p m I D. unfold first_with. destruct (find _ _) as [k|] eqn:F; [now apply find_some in F|].
  pose proof (find_none _ _ F m I) as No. simpl in No. congruence.
Qed.

Theorem forces_is_to_have_a_strategy : forces_is_to_have_a_strategy_statement.
Proof.
  intro n. split; [|intros [s W]; now apply wins_by_forces with s].
  intro F. set (s := first_with (decides n)). exists s.
  assert (always : forall p, reached Xavier s p -> forces n p).
  { intros p R. induction R as [|p m R IH I Named]; [exact F|].
    pose proof (play_well_formed p m (reached_well_formed _ _ _ R) I) as W'.
    inversion IH as [? Won L | ? k T Ik Fk | ? T N All]; subst.
    - now rewrite (not_won_where_moves p m Xavier I) in Won.
    - apply decides_forces; [exact W'|]. rewrite (Named T). apply first_with_wanted with k; [exact Ik|].
      apply decides_forces; [|exact Fk]. now apply play_well_formed; [apply (reached_well_formed Xavier s)|].
    - now apply All. }
  split; [intros p _ _ N; now apply first_with_in|].
  intros p R. pose proof (always p R) as Fp. split; [now apply forces_ply; [apply (reached_well_formed Xavier s)|]|].
  intro none. inversion Fp as [? Won L | ? k T Ik Fk | ? T N All]; subst; [exact Won | now rewrite none in Ik | easy].
Qed.

Theorem not_forces_is_to_hold_out : not_forces_is_to_hold_out_statement.
Proof.
  intro n. split; [|intros [s Out]; now apply holds_out_prevents with s].
  intro Not. set (s := first_with (fun p => negb (decides n p))). exists s.
  assert (never : forall p, reached Olivia s p -> ~ forces n p).
  { intros p R. induction R as [|p m R IH I Named]; [exact Not|]. intro Fm.
    pose proof (reached_well_formed _ _ _ R) as W. apply IH. destruct (turn p) eqn:T.
    - exact (by_his_move n p m T I Fm).
    - apply by_all_her_moves; [exact T | intro none; now rewrite none in I|]. intros k Ik.
      apply decides_forces; [now apply play_well_formed|]. destruct (decides n (play p k)) eqn:D; [easy|exfalso].
      rewrite (Named eq_refl) in Fm.
      assert (No : negb (decides n (play p (s p))) = true)
        by (apply (first_with_wanted (fun q => negb (decides n q)) p k Ik); now rewrite D).
      apply negb_true_iff in No. apply decides_forces in Fm; [congruence|].
      apply play_well_formed; [exact W|]. now rewrite <- (Named eq_refl). }
  split; [intros p _ _ N; now apply first_with_in|].
  intros p R L. destruct (has_won Xavier p) eqn:Won; [exfalso|easy].
  apply (never p R). now apply has_won_in_time.
Qed.
