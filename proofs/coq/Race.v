(** * Xavier's race, a relaxation of the game

    What Olivia can prevent in a game in which only Xavier can win, she can prevent in the game. In the race marks are
    placed as in the game; nobody owns a field; her lines count for nothing. He has won once he holds a *plan*: three
    fields in a line, and three spots in a line in each of them. His line in a field that she has won before is one more
    that counts, so the race is only better for him than the game.

    Plan: the race, and [she_loses m]: he can win it with [m] more marks of his, she moves first; a race [shows] a
    position, and each play keeps that; if Xavier can force a win in the game, she loses each race that shows it
    ([forces_is_lost_race]). *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts Symmetry.

(** A line on which a test holds everywhere, if there is one. *)
Definition pick (test : line -> bool) : line := match find test all_lines with Some l => l | None => Row0 end.

Lemma pick_holds : forall test l, test l = true -> test (pick test) = true.
Proof.
  intros test l T. unfold pick. destruct (find test all_lines) as [k|] eqn:F; [now apply find_some in F|].
  pose proof (find_none _ _ F l (in_all_lines l)). congruence.
Qed.

(** ** The race *)

Record race := Race { mark : square -> square -> option player; target : option square }.

(** Spot [s] of field [f] may be played. *)
Definition may (r : race) (f s : square) : Prop := mark r f s = None /\ (target r = None \/ target r = Some f).

Definition after (who : player) (r : race) (f s : square) : race :=
  let marks g t := if same f g && same s t then Some who else mark r g t in
  {| mark := marks; target := if forallb (fun t => is_taken (marks s t)) squares then None else Some s |}.

(** A line of fields, and a line of spots in each of them. *)
Record plan := Plan { big : line; small : square -> line }.

(** [(f, s)] belongs to a plan. *)
Definition within (w : plan) (f s : square) : Prop := on (big w) f = true /\ on (small w f) s = true.

Definition won (r : race) : Prop := exists w, forall f s, within w f s -> mark r f s = Some Xavier.

(** Olivia to move: whatever she replies, he can bring about that he has won within [m] more marks of his. *)
Fixpoint she_loses (m : nat) (r : race) : Prop :=
  won r \/
  (exists f s, may r f s) /\
  forall f s, may r f s ->
    match m with
    | 0 => False
    | S m => let r := after Olivia r f s in exists g t, may r g t /\ she_loses m (after Xavier r g t)
    end.

(** ** A race shows a position

    It has the same marks and the same active field, and a field that is his there holds a line of his here. *)
Record shows (r : race) (p : position) : Prop := {
  shown_marks : forall f s, mark r f s = nth (number s) (field p (number f)) None;
  shown_target : active p = option_map number (target r);
  owned_have_lines : forall f, has Xavier (owners p) (number f) = true ->
    exists l, forall s, on l s = true -> mark r f s = Some Xavier
}.

Lemma has_is_mark : forall g s, has Xavier g s = true -> nth s g None = Some Xavier.
Proof. intros g s H. unfold has in H. destruct (nth s g None) as [[]|]; easy. Qed.

Lemma won_when_shown : forall r p, shows r p -> has_won Xavier p = true -> won r.
Proof.
  intros r p [M _ O] W. apply aligned_is_a_line in W as [l L].
  set (full := fun f k => forallb (fun s => implb (on k s) (has Xavier [mark r f s] 0)) squares).
  assert (full_spec : forall f k, full f k = true <-> forall s, on k s = true -> mark r f s = Some Xavier).
  { intros f k. unfold full. rewrite forallb_forall. split; intros H s.
    - intro E. specialize (H s (in_squares s)). rewrite E in H. simpl in H.
      destruct (mark r f s) as [[]|]; easy.
    - intros _. destruct (on k s) eqn:E; [|easy]. now rewrite (H s E). }
  exists (Plan l (fun f => pick (full f))). intros f s [B I]. simpl in *.
  destruct (O f (L f B)) as [k K]. apply full_spec in K. apply pick_holds in K.
  now apply (proj1 (full_spec _ _) K).
Qed.

(** His legal moves are moves of the race, and her moves of the race are legal moves. *)
Lemma legal_may : forall r p f s, shows r p -> In (number f, number s) (legal_moves p) -> may r f s.
Proof.
  intros r p f s [M T _] I. apply legal_moves_are in I as (_ & _ & A & _ & Free). split.
  - rewrite M. unfold is_free in Free. now destruct (nth _ _ None).
  - rewrite T in A. destruct (target r) as [a|]; simpl in A; [right|now left].
    destruct A as [A|[A _]]; [|easy]. f_equal. apply number_inj. congruence.
Qed.

Lemma may_legal : forall r p f s, shows r p -> legal_moves p <> [] -> may r f s ->
  In (number f, number s) (legal_moves p).
Proof.
  intros r p f s [M T _] N [Free A]. apply legal_moves_are.
  destruct (legal_moves p) as [|m ms] eqn:E; [easy|].
  assert (I : In m (legal_moves p)) by (rewrite E; now left).
  repeat split; try (now apply (not_won_where_moves p m)); [|apply number_below_9|].
  - rewrite T. destruct A as [A|A]; rewrite A; simpl; [right|left]; auto using number_below_9.
  - unfold is_free. now rewrite <- M, Free.
Qed.

Lemma full_shown : forall g marks, (forall t, marks t = nth (number t) g None) ->
  is_full g = forallb (fun t => is_taken (marks t)) squares.
Proof.
  intros g marks M. apply eq_true_iff_eq. rewrite full_is_taken, forallb_forall.
  split; intros T t; [intros _; rewrite M | rewrite <- M]; apply T; apply in_squares.
Qed.

(** A race goes on showing the game. *)
Lemma shows_play : forall r p f s, well_formed p -> shows r p ->
  In (number f, number s) (legal_moves p) ->
  shows (after (turn p) r f s) (play p (number f, number s)).
Proof.
  intros r p f s W Sh I. pose proof (legal_may r p f s Sh I) as [Free _]. destruct Sh as [M T O].
  assert (M' : forall g t, mark (after (turn p) r f s) g t =
               nth (number t) (field (play p (number f, number s)) (number g)) None).
  { intros g t. unfold after; cbn [mark]. destruct (same_spec f g) as [<-|N]; cbn [andb].
    - rewrite field_played by auto using number_below_9.
      destruct (same_spec s t) as [<-|N].
      + rewrite nth_put_same; [easy|]. rewrite (nine_spots p W). apply number_below_9.
      + rewrite nth_put_other; [apply M|]. intro E. now apply N, number_inj.
    - rewrite other_fields; [apply M|]. intro E. now apply N, number_inj. }
  split.
  - exact M'.
  - cbn [play active]. change (nth (number s) _ _) with (field (play p (number f,
      number s)) (number s)).
    rewrite (full_shown _ _ (M' s)). cbn [after target]. now destruct (forallb _ _).
  - intros g H. simpl in H. unfold owners_after in H.
    assert (old : has Xavier (owners p) (number g) = true ->
                  exists l, forall t, on l t = true -> mark (after (turn p) r f s) g t = Some Xavier).
    { intro H'. destruct (O g H') as [l L]. exists l. intros t E. simpl.
      destruct (same_spec f g) as [<-|]; [|now apply L]. destruct (same_spec s t) as [<-|]; [|now apply L].
      rewrite (L s E) in Free. easy. }
    destruct (is_free (owners p) (number f) && aligned _ _) eqn:New; [|now apply old].
    destruct (same_spec f g) as [<-|N].
    + apply andb_true_iff in New as [_ New]. unfold has in H.
      rewrite nth_put_same in H by (rewrite (nine_owners p W); apply number_below_9).
      destruct (turn p) eqn:Turn; [|easy]. apply aligned_is_a_line in New as [l L]. exists l. intros t E.
      rewrite M', field_played, Turn by auto using number_below_9. now apply has_is_mark, L.
    + apply old. unfold has in *. rewrite nth_put_other in H; [exact H|]. intro E. now apply N, number_inj.
Qed.

(** ** If Xavier can force a win in the game, Olivia loses the race

    From ply [ply p] on, he places marks up to ply [n] at [ply p + 2, ply p + 4, ...] if it is her turn, and at
    [ply p + 1, ply p + 3, ...] if it is his. *)
Theorem forces_is_lost_race : forall n p, forces n p -> well_formed p -> forall r m, shows r p ->
  (turn p = Olivia -> n < ply p + 2 * m + 2 -> she_loses m r) /\
  (turn p = Xavier -> has_won Xavier p = false -> n < ply p + 2 * m + 1 ->
   match m with 0 => False | S m => exists f s, may r f s /\ she_loses m (after Xavier r f s) end).
Proof.
  intros n p F. induction F as [p Won L | p move T I F IH | p T N F IH]; intros W r m Sh.
  - split; [|congruence]. intros _ _. destruct m; left; now apply (won_when_shown r p).
  - split; [congruence|]. intros _ _ L.
    pose proof (play_well_formed p move W I) as W'. pose proof (forces_ply _ _ W' F) as Le.
    rewrite (ply_play p move W I) in Le.
    destruct (every_legal_move p move W I) as (f & s & ->).
    destruct m as [|m]; [lia|]. exists f, s. split; [now apply (legal_may r p)|].
    pose proof (shows_play r p f s W Sh I) as Sh'. rewrite T in Sh'.
    apply (IH W' _ m Sh'); [simpl; now rewrite T|]. rewrite ply_play by easy. lia.
  - split; [|congruence]. intros _ L.
    assert (lost : forall f s, may r f s ->
      match m with 0 => False | S m => exists g t, may (after Olivia r f s) g t /\
        she_loses m (after Xavier (after Olivia r f s) g t) end).
    { intros f s May. pose proof (may_legal r p f s Sh N May) as I.
      pose proof (shows_play r p f s W Sh I) as Sh'. rewrite T in Sh'.
      apply (IH _ I (play_well_formed p _ W I) _ m Sh'); [simpl; now rewrite T | |].
      - pose proof (play_wins_for_nobody_else p (number f, number s)) as Same.
        rewrite T in Same. simpl other in Same. rewrite Same. now apply not_won_where_moves with (1 := I).
      - rewrite ply_play by easy. lia. }
    assert (some : exists f s, may r f s).
    { destruct (legal_moves p) as [|move l] eqn:E; [easy|].
      assert (I : In move (legal_moves p)) by (rewrite E; now left).
      destruct (every_legal_move p move W I) as (f & s & ->). exists f, s. now apply (legal_may r p). }
    destruct m; right; split; assumption.
Qed.
