"""ignite.engine.engine: calls a function for each batch, and handlers at the stations of the run."""

from ignite.engine.events import CallableEventWithFilter, Events, RemovableEventHandle, State, _list_events
from inplace_lsp.modelling import accepts, data, drives, ignores, is_known, is_true

DESCRIBES = "ignite 0.5"


class Engine:
    """Calls a function for each batch, and handlers at the stations of the run."""

    def __init__(self, process_function):
        self._process_function = process_function
        self._handlers = []
        self.state = State()

    def __entry__(self):
        """Run it on some batches."""
        self.run(None)

    @ignores("event_names", "event_to_attr", because="what is fired says its name")
    def register_events(self, *event_names, event_to_attr=None):
        """Allow events of one's own."""

    def on(self, event_name, *args, **kwargs):
        """Register the decorated function."""

        def decorator(function):
            self.add_event_handler(event_name, function, *args, **kwargs)
            return function

        return decorator

    def add_event_handler(self, event_name, handler, *args, **kwargs):
        """Register a handler."""
        for event in _list_events(event_name):
            self._handlers.append((event, handler, args, kwargs))
        return RemovableEventHandle(event_name, handler, self)

    def remove_event_handler(self, handler, event_name):
        """Take a handler away."""
        name = _event_name(event_name)
        self._handlers = [
            registered
            for registered in self._handlers
            if registered[1] is not handler or not is_true(_event_name(registered[0]) == name)
        ]

    def fire_event(self, event_name):
        """Call the handlers of an event."""
        name = _event_name(event_name)
        count = self.state.epoch if name in ("epoch_started", "epoch_completed") else self.state.iteration
        for event, handler, args, kwargs in list(self._handlers):
            if is_known(event) and _event_name(event) == name and _is_due(event, self, count):
                if accepts(handler, self, *args, **kwargs):
                    handler(self, *args, **kwargs)
                else:
                    handler(*args, **kwargs)

    @ignores("skip_completed", because="the run goes on here")
    def terminate(self, skip_completed=False):
        """End the run: it goes on here, to show what another one would."""

    @ignores("skip_epoch_completed", because="the epoch goes on here")
    def terminate_epoch(self, skip_epoch_completed=False):
        """End the epoch: it goes on here, to show what another one would."""

    def interrupt(self):
        """Stop for now."""

    @ignores("data", because="batches are as the first ones")
    def set_data(self, data):
        """Go on with other batches."""

    @drives
    @ignores("max_iters", "epoch_length", because="two epochs of a few batches show what more would")
    def run(self, data=None, max_epochs=None, max_iters=None, epoch_length=None):
        """Call the function for each batch, the handlers around it."""
        self.state.epoch = self.state.iteration = 0
        self.state.max_epochs, self.state.dataloader = max_epochs, data
        once = is_true(isinstance(max_epochs, int)) and max_epochs == 1
        self.fire_event(Events.STARTED)
        for _ in range(1 if once else 2):
            self.state.epoch += 1
            self.fire_event(Events.EPOCH_STARTED)
            self._run_epoch(_iterate_batches(data))
            self.fire_event(Events.EPOCH_COMPLETED)
        self.fire_event(Events.COMPLETED)
        return self.state

    def _run_epoch(self, batches):
        count = 0
        for batch in batches:
            self.fire_event(Events.GET_BATCH_STARTED)
            self.state.batch = batch
            self.state.iteration += 1
            self.fire_event(Events.GET_BATCH_COMPLETED)
            self.fire_event(Events.ITERATION_STARTED)
            self.state.output = self._process_function(self, self.state.batch)
            self.fire_event(Events.ITERATION_COMPLETED)
            count += 1
            if count == 3:
                break


def _event_name(event):
    return event.name if is_true(isinstance(event, CallableEventWithFilter)) else event


def _is_due(event, engine, count):
    return not is_true(isinstance(event, CallableEventWithFilter)) or event._is_due(engine, count)


def _iterate_batches(given):
    return given if is_known(given) and given is not None else [data("a batch"), data("a batch")]
